import type { CallJob, CallRow, CallUsage } from '../contracts/ledger-lines.ts';
import {
  BLAME_OF,
  type ErrorType,
  errorTypeOfAnswer,
  isErrorTypeOf,
  type Outcome,
} from '../contracts/outcome.ts';
import { unobservedCall } from '../contracts/unobserved-call.ts';
import { isTextKind, type PaidKind } from '../core/call-kind.ts';
import { formatInstant, millisecondsBetween } from '../core/time.ts';
import type { SecretMask } from '../secrets/secret-mask.ts';
import { readApiError } from '../wire/api-error.ts';
import { asName, asObject, type JsonObject } from '../wire/json-fields.ts';
import { otherIds } from '../wire/other-ids.ts';
import { answerIds, MOST_ID, requestIdsIn } from '../wire/request-ids.ts';
import { retryAfterSeconds } from '../wire/retry-after.ts';
import { readUsage } from '../wire/token-usage.ts';
import type { AnswerFacts } from './answer-reader.ts';
import type { AttemptPlace } from './attempt-chain.ts';
import type { FailureKind } from './failure-kind.ts';
import { plainName } from './plain-name.ts';
import type { RequestFacts } from './request-facts.ts';

/** What is known of a call before it is sent. */
export interface RecordedStart extends AttemptPlace {
  readonly run: string;
  readonly instance: string;
  readonly call_id: string;
  readonly kind: PaidKind;
  readonly path: string;
  readonly request: RequestFacts;
  readonly key_fp: string | null;
  /** Taken when the call has ended: no call waits for it. */
  readonly prefixes: () => CallRow['prefixes'];
  /** Takes the key of the call out of names. */
  readonly mask: SecretMask;
  /** Ms since the epoch, and on the monotonic clock. */
  readonly wall_ms: number;
  readonly mono_ms: number;
}

/** What came of it. */
export interface CallEnd {
  readonly status: number | null;
  readonly headers: Headers | null;
  /** Moments on the monotonic clock, ms. */
  readonly headers_at: number | null;
  readonly end_at: number;
  readonly facts: AnswerFacts | null;
  readonly isStream: boolean;
  /** Bytes and pieces of the body, after any decompression. */
  readonly bytes_in: number;
  readonly chunks: number;
  /** What broke it off; null where the body ended by itself. */
  readonly failure: FailureKind | null;
  readonly job: CallJob | null;
}

export interface JudgedAnswer {
  readonly outcome: Outcome;
  readonly error_type: ErrorType;
  readonly error_code: string | null;
}

const IS_MEMBER = /^[\w.:-]{1,64}$/;

/** The row of a call. It holds names, sizes, counts and moments, and no text that anybody wrote. */
export function answerRow(start: RecordedStart, end: CallEnd, judged: JudgedAnswer): CallRow {
  const { request } = start;
  const { facts } = end;
  const since = (at: number | null | undefined): number | null => millisecondsBetween(start.mono_ms, at);
  const name = (text: unknown): string | null => cleanName(start.mask, text);
  const refused = refusalOf(end);
  // Of those that an error text names the last first.
  const told = [...requestIdsIn(refused?.message ?? ''), refused?.request_id];
  const id = (text: unknown): string | null => cleanName(start.mask, text, MOST_ID);
  const ids = answerIds((header) => end.headers?.get(header), told, id);
  const response_id = id(facts?.text?.response_id);
  return unobservedCall({
    run_id: start.run,
    instance: start.instance,
    call_id: start.call_id,
    logical_id: start.logical_id,
    attempt: start.attempt,
    scenario: 'recorded',
    kind: start.kind,
    path: start.mask.name(start.path),
    stream: request.stream,
    model: name(request.model),
    key_fp: start.key_fp,
    started_at: formatInstant(start.wall_ms),
    headers_ms: since(end.headers_at),
    first_event_ms: since(facts?.first_event_at),
    ttft_ms: since(facts?.content_at),
    ttfo_ms: since(facts?.visible_at),
    end_ms: since(end.end_at) ?? 0,
    events: facts?.events ?? null,
    chunks: end.isStream ? end.chunks : null,
    out_chars: facts?.out_chars ?? null,
    status: end.status,
    outcome: judged.outcome,
    error_type: judged.error_type,
    blame: BLAME_OF[judged.error_type],
    error_code: name(judged.error_code),
    api_error_type: name(refused?.type || (facts?.text?.api_error_type ?? null)),
    // Providers quote what they were sent: their texts stay out, error_message too.
    request_id: ids[0] ?? null,
    request_ids: ids,
    other_ids: otherIds(
      { headers: end.headers ?? [], document: facts?.opening, known: [...ids, response_id] },
      id,
    ),
    response_id,
    response_model: name(facts?.text?.response_model),
    service_tier: name(facts?.text?.service_tier),
    retry_after_s:
      end.headers === null
        ? null
        : retryAfterSeconds(end.headers.get('retry-after'), end.headers.get('date'), start.wall_ms),
    finish: name(facts?.text?.finish),
    terminal_seen: end.isStream ? (facts?.text?.terminal_seen ?? null) : null,
    usage: usageOf(start, facts),
    units: request.units,
    tools: toolsOf(start, facts),
    max_tokens: request.max_tokens,
    prompt_bytes: isTextKind(start.kind) ? request.prompt_bytes : null,
    prefixes: start.prefixes(),
    job: end.job && {
      ...end.job,
      id: id(end.job.id),
      statuses: end.job.statuses.flatMap((status) => name(status) ?? []),
    },
    bytes_in: end.status === null ? null : end.bytes_in,
    bytes_out: request.bytes_out,
  });
}

/**
 * Only the format's own complete ending is ok. A task is ok when its own status says so, which comes
 * later.
 */
export function judgeRecordedAnswer(end: CallEnd): JudgedAnswer {
  const { status, failure, facts } = end;
  const judged = (outcome: Outcome, type: ErrorType, code: string | null = null): JudgedAnswer => ({
    outcome,
    error_type: type,
    error_code: code,
  });
  if (status === null) {
    const { outcome, error_type, code } = failure ?? {
      outcome: 'net_error',
      error_type: '_OTHER',
      code: null,
    };
    return judged(outcome, error_type, code);
  }
  if (status < 200 || status > 299) {
    const code = refusalOf(end)?.code || null;
    return judged('http_error', errorTypeOfAnswer(status, code), code);
  }
  const told = facts?.text ?? null;
  if (told?.complete === true && facts?.shaped === true) return judged('ok', 'none');
  if (
    told !== null &&
    isErrorTypeOf('stream_error', told.error_type) &&
    told.error_type !== 'stream_empty' &&
    facts?.shaped
  )
    return judged('stream_error', told.error_type, told.error_code);
  if (failure !== null) return judgeBroken(failure);
  if (!end.isStream)
    return facts?.shaped === true ? judged('ok', 'none') : judged('bad_response', 'schema_mismatch');
  if (told?.error_type === 'stream_empty') return judged('stream_error', 'stream_empty');
  return judged('truncated', 'stream_no_terminator');
}

/**
 * A connection that breaks under an answer cuts it; who gave it up himself, or by a timer, is another
 * matter.
 */
function judgeBroken({ outcome, error_type, code }: FailureKind): JudgedAnswer {
  if (outcome === 'net_error')
    return { outcome: 'truncated', error_type: 'stream_truncated', error_code: code };
  return { outcome, error_type, error_code: code };
}

interface Refusal {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly request_id: string | null;
}

/** The error object of an answer that is not 2xx (interface §7). */
function refusalOf(end: CallEnd): Refusal | null {
  if (end.status === null || (end.status >= 200 && end.status < 300)) return null;
  const document = asObject(end.facts?.document);
  if (document === null) return null;
  return { ...readApiError(document['error'] ?? document), request_id: asName(document['request_id']) };
}

function usageOf({ kind, mask }: RecordedStart, facts: AnswerFacts | null): CallUsage | null {
  const told = facts?.text?.usage;
  const usage =
    told === undefined && !isTextKind(kind)
      ? // Image answers name their counts as the responses format does.
        readUsage('responses', asObject(facts?.document)?.['usage'])
      : (told ?? null);
  return usage === null ? null : { ...usage, raw: countsOf(asObject(usage.raw) ?? {}, mask) };
}

function toolsOf({ mask }: RecordedStart, facts: AnswerFacts | null): CallRow['tools'] {
  const told = facts?.text?.tools ?? null;
  return told === null
    ? null
    : Object.fromEntries(
        Object.entries(told).flatMap(([name, count]) =>
          IS_MEMBER.test(name) ? [[mask.name(name), count]] : [],
        ),
      );
}

/** The numbers of a usage object and what they are called. Any other text in it could be anything. */
function countsOf(usage: JsonObject, mask: SecretMask): JsonObject {
  return Object.fromEntries(
    Object.entries(usage).flatMap(([served, value]): readonly (readonly [string, unknown])[] => {
      if (!IS_MEMBER.test(served)) return [];
      const name = mask.name(served);
      const inner = asObject(value);
      if (inner !== null) return [[name, countsOf(inner, mask)]];
      return typeof value === 'number' || typeof value === 'boolean' || value === null ? [[name, value]] : [];
    }),
  );
}

/** As `plainName`, without the key. */
function cleanName(mask: SecretMask, text: unknown, most?: number): string | null {
  const plain = plainName(text, most);
  return plain === null ? null : mask.name(plain);
}
