import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { isErrorTypeOf } from '../../contracts/outcome.ts';
import type { TextKind } from '../../core/call-kind.ts';
import { jsonOf } from '../../text/json-of.ts';
import { carriesError, readApiError } from '../../wire/api-error.ts';
import { asArray, asName, asObject } from '../../wire/json-fields.ts';
import { eventsOfAnswer, isAnswerShaped } from '../../wire/plain-answer.ts';
import { beginningOf, isHtmlPage, readRefusal } from '../../wire/refusal.ts';
import { createTextStream } from '../../wire/text-stream.ts';
import { readUsage } from '../../wire/token-usage.ts';
import type { EventStreamResult } from '../event-stream.ts';
import type { Broken } from './broken-call.ts';
import { type AnswerJudgement, judged, judgedBroken, notExpected } from './judgement.ts';
import type { MediaBody } from './media-body.ts';
import { isPicture, MediaCheck, type MediaFormat } from './media-check.ts';
import type { AnswerRule, ContentFacts } from './paid-result.ts';
import type { StreamReading } from './stream-reading.ts';

/** Only the format's own complete ending is ok, however the connection closed. */
export function judgeStream(stream: StreamReading, broken: Broken | null): AnswerJudgement {
  const text = stream.result();
  const told = {
    text,
    usage: text.usage,
    stream,
    opening: jsonOf(stream.firstEvent),
    error_code: text.error_code ?? '',
    api_error_type: text.api_error_type ?? '',
    message: text.error_message ?? '',
  };
  if (text.complete)
    return judged('ok', 'none', {
      ...told,
      broken_rules: stream.contentEvents === 0 ? ['empty_content'] : [],
    });
  if (isErrorTypeOf('stream_error', text.error_type) && text.error_type !== 'stream_empty')
    return judged('stream_error', text.error_type, told);
  if (!stream.terminal && broken !== null) return judgedBroken(broken, told);
  if (text.error_type === 'stream_empty')
    return judged('stream_error', 'stream_empty', { ...told, ...insteadOfEvents(stream.eventless) });
  const message = "the stream ended without the format's own ending";
  return judged('truncated', 'stream_no_terminator', { ...told, message });
}

/** A page or an error object under the type of an event stream: no parser of events tells it. */
function insteadOfEvents(body: string): Partial<AnswerJudgement> {
  if (body.trim() === '') return { message: 'the stream ended without an event' };
  if (isHtmlPage(body)) return { message: `the stream is an HTML page: ${beginningOf(body)}` };
  const refusal = readRefusal(body);
  if (!refusal.shaped) return { message: `the stream holds no event: ${beginningOf(body)}` };
  return {
    message: `the stream is an error object: ${refusal.message}`,
    error_code: refusal.code,
    api_error_type: refusal.type,
    request_ids: refusal.request_ids,
    opening: jsonOf(body),
  };
}

/** The one document of an answer that was not streamed. */
export function judgePlainText(kind: TextKind, body: string): AnswerJudgement {
  if (isHtmlPage(body)) return notExpected(`the answer is an HTML page: ${beginningOf(body)}`);
  const document = asObject(jsonOf(body));
  if (document === null) return notExpected(`the answer is no JSON object: ${beginningOf(body)}`);
  const { text, hasContent } = readDocument(kind, document);
  const error = readApiError(document['error']);
  const told = {
    text,
    usage: text.usage,
    document,
    error_code: error.code,
    api_error_type: error.type,
    message: error.message,
    request_ids: carriesError(document['error']) ? readRefusal(body).request_ids : [],
  };
  if (!isAnswerShaped(kind, document))
    return notExpected(error.message || `the answer has not the shape of a ${kind} answer`, told);
  if (text.complete)
    return judged('ok', 'none', { ...told, broken_rules: hasContent ? [] : ['empty_content'] });
  return isErrorTypeOf('stream_error', text.error_type)
    ? judged('stream_error', text.error_type, told)
    : notExpected(`the answer has not the shape of a ${kind} answer`, told);
}

function readDocument(
  kind: TextKind,
  document: Readonly<Record<string, unknown>>,
): { readonly text: EventStreamResult; readonly hasContent: boolean } {
  const stream = createTextStream(kind);
  const hash = createHash('sha256');
  let hasContent = false;
  for (const { type, body } of eventsOfAnswer(kind, document)) {
    const step = stream.event({ type, data: JSON.stringify(body) });
    hasContent ||= step.content;
    hash.update(step.text, 'utf8');
  }
  if (kind === 'chat') stream.event({ type: '', data: '[DONE]' });
  const result = stream.result();
  const text_sha256 = result.out_chars === 0 ? null : hash.digest('hex');
  return { text: { ...result, text_sha256, terminal_seen: false, events: 0 }, hasContent };
}

/** The longest link that is followed, bytes. */
const MOST_LINK = 16 * 1024;

/** An image response (interface §2): pictures inside it are checked here, one behind a link when it is fetched. */
export function judgeImages(body: string, asked: 'url' | 'b64_json' | null): AnswerJudgement {
  if (isHtmlPage(body)) return notExpected(`the answer is an HTML page: ${beginningOf(body)}`);
  const document = asObject(jsonOf(body));
  if (document === null || !isAnswerShaped('image', document)) {
    const error = asObject(document?.['error']);
    const message = asName(error?.['message']) ?? 'the answer holds no image';
    return notExpected(message, { error_code: asName(error?.['code']) ?? '' });
  }
  const items = asArray(document['data']).map(asObject);
  const link = items.map((item) => asName(item?.['url'])).find((url) => url !== null) ?? null;
  const pictures = items.flatMap((item) => asName(item?.['b64_json']) ?? []);
  // Image answers name their counts as the responses format does.
  const told = {
    usage: readUsage('responses', document['usage']),
    document,
    broken_rules: rulesOf(items, asked),
  };
  if (link !== null && Buffer.byteLength(link) > MOST_LINK)
    return notExpected(`the link is longer than ${MOST_LINK >> 10} KiB`, told);
  let content: ContentFacts | null = null;
  for (const text of pictures) {
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return notExpected('b64_json is not base64', told);
    const check = new MediaCheck();
    check.feed(Buffer.from(text, 'base64'));
    content = contentOf(check, isPicture);
    const fault = faultOf(check, 'picture');
    if (fault !== null) return notExpected(`b64_json ${fault}`, { ...told, content });
  }
  return judged('ok', 'none', { ...told, content, link });
}

function rulesOf(
  items: readonly (Readonly<Record<string, unknown>> | null)[],
  asked: 'url' | 'b64_json' | null,
): readonly AnswerRule[] {
  const isOtherForm = items.some(
    (item) => asked !== null && (asName(item?.['url']) !== null) !== (asked === 'url'),
  );
  return [
    ...(items.length === 1 ? [] : (['image_count'] as const)),
    ...(isOtherForm ? (['image_form'] as const) : []),
  ];
}

/** Fetched bytes, which must be a whole picture or a whole MP4. */
export function judgeMedia(
  body: MediaBody,
  wanted: 'picture' | 'mp4',
  contentType: string | null,
): AnswerJudgement {
  const content = contentOf(body.check, wanted === 'mp4' ? (format) => format === 'mp4' : isPicture);
  const told = { content, sha256: body.sha256(), broken_rules: typeRules(wanted, contentType) };
  if (body.isTooLarge) return notExpected(`the answer is larger than ${body.limit / 2 ** 20} MiB`, told);
  const fault = faultOf(body.check, wanted);
  return fault === null ? judged('ok', 'none', told) : notExpected(`the answer ${fault}`, told);
}

function typeRules(wanted: 'picture' | 'mp4', contentType: string | null): readonly AnswerRule[] {
  const pattern = wanted === 'mp4' ? /^video\/mp4\s*(;|$)/i : /^image\//i;
  return pattern.test(contentType?.trim() ?? '') ? [] : ['content_type'];
}

function contentOf(check: MediaCheck, isWanted: (format: MediaFormat) => boolean): ContentFacts {
  const { bytes, format, whole } = check.facts();
  return { bytes, format, sound: whole && isWanted(format) };
}

/** What is wrong with the bytes; null for nothing. */
function faultOf(check: MediaCheck, wanted: 'picture' | 'mp4'): string | null {
  const { bytes, format, whole } = check.facts();
  const head = Buffer.from(check.head).toString('utf8');
  if (bytes === 0) return 'is empty';
  if (isHtmlPage(head)) return `is an HTML page: ${beginningOf(head)}`;
  if (wanted === 'mp4' && format !== 'mp4') return 'is no MP4 by its first bytes';
  if (wanted === 'picture' && !isPicture(format)) return 'is no PNG, JPEG or WebP by its first bytes';
  return whole ? null : `is a ${format} file that is not whole`;
}
