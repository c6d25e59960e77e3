import { Buffer } from 'node:buffer';
import { errorTypeOfAnswer } from '../../contracts/outcome.ts';
import type { TextKind } from '../../core/call-kind.ts';
import { jsonOf } from '../../text/json-of.ts';
import { beginningOf, readRefusal } from '../../wire/refusal.ts';
import type { AnswerHead, BodyReader, Exchanged } from './exchange.ts';
import { judgeImages, judgeMedia, judgePlainText, judgeStream } from './judge-text.ts';
import { type AnswerJudgement, judged, judgedBroken, notExpected } from './judgement.ts';
import { MediaBody } from './media-body.ts';
import type { AnswerRule } from './paid-result.ts';
import { StreamReading } from './stream-reading.ts';

/** What the answer must hold. */
export type ExpectedAnswer =
  | { readonly what: 'text'; readonly kind: TextKind; readonly stream: boolean }
  | { readonly what: 'images'; readonly asked: 'url' | 'b64_json' | null }
  | { readonly what: 'picture' | 'mp4' }
  | { readonly what: 'task' };

const MOST_ERROR_BODY = 64 * 1024;
const MOST_BODY = 16 * 1024 * 1024;
const MOST_IMAGE_BODY = 64 * 1024 * 1024;
const MOST_VIDEO = 2048 * 1024 * 1024;

/** The reader that fits the head of an answer. */
export function readerFor(expected: ExpectedAnswer, head: AnswerHead): BodyReader {
  if (!isSuccess(head) || encodingOf(head) !== null) return new WholeBody(MOST_ERROR_BODY);
  switch (expected.what) {
    case 'text':
      if (!expected.stream) return new WholeBody(MOST_BODY);
      return isEventStream(head) ? new StreamReading(expected.kind) : new WholeBody(MOST_ERROR_BODY);
    case 'images':
      return new WholeBody(MOST_IMAGE_BODY);
    case 'task':
      return new WholeBody(MOST_BODY);
    case 'picture':
      return new MediaBody(MOST_IMAGE_BODY);
    case 'mp4':
      return new MediaBody(MOST_VIDEO);
  }
}

/** By the rules of xk6/call. `reader` is what `readerFor` gave; null where no answer came. */
export function judgeAnswer(
  expected: ExpectedAnswer,
  exchanged: Exchanged,
  reader: BodyReader | null,
): AnswerJudgement {
  const { head, broken } = exchanged;
  if (head === null) return judgedBroken(broken ?? NO_ANSWER);
  if (reader instanceof StreamReading) return judgeStream(reader, broken);
  if (reader instanceof WholeBody) {
    if (!isSuccess(head)) return judgeRefusal(head, reader.text());
    const encoding = encodingOf(head);
    if (encoding !== null) return notExpected(`content-encoding ${encoding} was not asked for`);
    if (expected.what === 'text' && expected.stream)
      return judgeNoStream(expected.kind, head, reader, exchanged);
    if (broken !== null) return judgedBroken(broken);
    if (reader.isTooLarge) return notExpected(`the answer is larger than ${reader.limit >> 20} MiB`);
    return withTypeRule(judgeWhole(expected, reader.text()), head);
  }
  if (reader instanceof MediaBody && (expected.what === 'picture' || expected.what === 'mp4'))
    return broken === null
      ? judgeMedia(reader, expected.what, head.header('content-type'))
      : judgedBroken(broken);
  throw new Error('judgeAnswer: expected the reader that was made for this answer');
}

const NO_ANSWER = { outcome: 'net_error', error_type: '_OTHER', message: 'no answer' } as const;

function judgeWhole(expected: ExpectedAnswer, body: string): AnswerJudgement {
  switch (expected.what) {
    case 'text':
      return judgePlainText(expected.kind, body);
    case 'images':
      return judgeImages(body, expected.asked);
    default: {
      const document = jsonOf(body);
      return document === undefined
        ? notExpected(`the answer is not JSON: ${beginningOf(body)}`)
        : judged('ok', 'none', { document });
    }
  }
}

/** The status line is the answer, whatever became of its body. */
function judgeRefusal(head: AnswerHead, body: string): AnswerJudgement {
  const { message, code, type, request_ids, html, shaped } = readRefusal(body);
  const broken_rules: AnswerRule[] = [];
  if (!shaped) broken_rules.push('error_body_shape');
  else if (request_ids.length === 0) broken_rules.push('error_without_request_id');
  const redirect = head.status < 400 ? 'a redirect was not followed' : null;
  return judged('http_error', errorTypeOfAnswer(head.status, code), {
    message: redirect ?? (html ? `the answer is an HTML page: ${beginningOf(body)}` : message),
    error_code: code,
    api_error_type: type,
    request_ids,
    opening: jsonOf(body),
    broken_rules,
  });
}

/** A stream was asked for and something else came with a 2xx: a JSON body may still tell the usage. */
function judgeNoStream(
  kind: TextKind,
  head: AnswerHead,
  reader: WholeBody,
  { broken }: Exchanged,
): AnswerJudgement {
  if (broken !== null) return judgedBroken(broken);
  const plain = judgePlainText(kind, reader.text());
  const found = head.header('content-type') ?? 'of no content type';
  const what =
    plain.document === undefined && plain.message !== '' ? plain.message : `the answer is ${found}`;
  return notExpected(`a stream was asked for and ${what}`, { ...plain, broken_rules: ['content_type'] });
}

function withTypeRule(judgement: AnswerJudgement, head: AnswerHead): AnswerJudgement {
  if (/^application\/json\s*(;|$)/i.test(head.header('content-type')?.trim() ?? '')) return judgement;
  return { ...judgement, broken_rules: [...judgement.broken_rules, 'content_type'] };
}

function isSuccess({ status }: AnswerHead): boolean {
  return status >= 200 && status < 300;
}

function encodingOf(head: AnswerHead): string | null {
  const encoding = head.header('content-encoding')?.trim() || 'identity';
  return encoding === 'identity' ? null : encoding;
}

function isEventStream(head: AnswerHead): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(head.header('content-type')?.trim() ?? '');
}

/** Gathers a body up to a limit; what is beyond it is not waited for. */
class WholeBody implements BodyReader {
  readonly state = 'flowing';
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(chunk: Uint8Array): boolean {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    return this.#size <= this.#limit;
  }

  get isTooLarge(): boolean {
    return this.#size > this.#limit;
  }

  get limit(): number {
    return this.#limit;
  }

  /** At most the limit, as text. */
  text(): string {
    return Buffer.concat(this.#chunks).subarray(0, this.#limit).toString('utf8');
  }
}
