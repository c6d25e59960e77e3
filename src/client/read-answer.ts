import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import { type ErrorType, errorTypeOfAnswer } from '../contracts/outcome.ts';
import { REQUEST_ID_HEADERS } from '../wire/request-ids.ts';
import { retryAfterSeconds } from '../wire/retry-after.ts';
import type { HttpAnswer } from './http-get.ts';
import { type LosslessJson, parseLosslessJson } from './lossless-json.ts';
import type { ReadFailure, ReadOk, ReadResult } from './read-result.ts';
import { accountErrorSchema, errorBodySchema } from './wire-schemas.ts';

const MESSAGE_LIMIT = 400;

/** A 200 whose body fits the schema; anything else is a failure. */
export function readJson<T>(answer: HttpAnswer, schema: z.ZodType<T>): ReadResult<T> {
  const refused = refusal(answer);
  if (refused !== null) return refused;
  let json: LosslessJson;
  try {
    json = parseLosslessJson(textOf(answer));
  } catch {
    return failure(answer, 'schema_mismatch', null, 'expected JSON, found something else');
  }
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return ok(answer, parsed.data, json.numbersAsText);
  const accountError = accountErrorSchema.safeParse(json.value);
  if (accountError.success) return failure(answer, '_OTHER', null, accountError.data.message);
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.');
  return failure(
    answer,
    'schema_mismatch',
    null,
    `${where}: ${issue?.message ?? 'not as the interface says'}`,
  );
}

/** A 200 of whatever content, as text. */
export function readText(answer: HttpAnswer): ReadResult<string> {
  return refusal(answer) ?? ok(answer, textOf(answer), 0);
}

function refusal(answer: HttpAnswer): ReadFailure | null {
  const { status } = answer;
  if (status === 200) {
    const encoding = answer.header('content-encoding') ?? 'identity';
    if (encoding === 'identity') return null;
    return failure(answer, 'schema_mismatch', null, `content-encoding ${encoding} was not asked for`);
  }
  if (status >= 300 && status < 400) {
    return failure(
      answer,
      '_OTHER',
      null,
      `redirect to ${placeOf(answer.header('location'))} was not followed`,
    );
  }
  const { code, message } = errorOf(answer);
  const type = errorTypeOfAnswer(status, code);
  return failure(answer, type === 'none' ? '_OTHER' : type, code, message);
}

function errorOf(answer: HttpAnswer): { readonly code: string | null; readonly message: string } {
  try {
    const { value } = parseLosslessJson(textOf(answer));
    const model = errorBodySchema.safeParse(value);
    if (model.success) {
      const { code, message } = model.data.error;
      return { code: code === '' ? null : code, message };
    }
    const account = accountErrorSchema.safeParse(value);
    if (account.success) return { code: null, message: account.data.message };
  } catch {
    // Not JSON: a proxy's own page, of which the status says enough.
  }
  return { code: null, message: `HTTP ${answer.status} without the interface's error body` };
}

function ok<T>(answer: HttpAnswer, body: T, numbersAsText: number): ReadOk<T> {
  return {
    ok: true,
    status: answer.status,
    body,
    bytes: answer.bytes,
    sha256: createHash('sha256').update(answer.bytes).digest('hex'),
    numbersAsText,
    requestId: requestIdOf(answer),
  };
}

function failure(
  answer: HttpAnswer,
  errorType: ErrorType,
  code: string | null,
  message: string,
): ReadFailure {
  return {
    ok: false,
    status: answer.status,
    code,
    message: message.slice(0, MESSAGE_LIMIT),
    retryAfterS: retryAfterSeconds(answer.header('retry-after'), answer.header('date'), Date.now()),
    errorType,
    requestId: requestIdOf(answer),
  };
}

function requestIdOf(answer: HttpAnswer): string | null {
  for (const name of REQUEST_ID_HEADERS) {
    const value = answer.header(name);
    if (value !== null && value !== '') return value;
  }
  return null;
}

/** Host and path only: a link may carry a signature in its query. */
function placeOf(location: string | null): string {
  if (location === null) return 'nowhere';
  const url = URL.parse(location, 'relative://same-host');
  if (url === null) return 'an unreadable place';
  return url.protocol === 'relative:' ? url.pathname : `${url.origin}${url.pathname}`;
}

function textOf(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.bytes);
}

export interface ReadRetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  readonly firstWaitMs: number;
  readonly factor: number;
  /** No single wait is longer; a longer `Retry-After` ends the attempts instead of being cut short. */
  readonly maxWaitMs: number;
}

export const DEFAULT_RETRY: ReadRetryPolicy = { attempts: 5, firstWaitMs: 250, factor: 2, maxWaitMs: 60_000 };

/** Waits, or rejects when the signal aborts. Handed in so that tests need not wait. */
export type RetryWait = (ms: number, signal: AbortSignal | null) => Promise<void>;

export const timerWait: RetryWait = (ms, signal) => wait(ms, undefined, signal === null ? {} : { signal });

/** Repeats a free GET as interface §7 allows: 429 after its `Retry-After`, 5xx and network after growing waits. */
export async function readWithRetry<T>(
  read: () => Promise<ReadResult<T>>,
  policy: ReadRetryPolicy,
  pause: RetryWait,
  signal: AbortSignal | null,
): Promise<ReadResult<T>> {
  const isStopped = () => signal?.aborted === true;
  let growing = policy.firstWaitMs;
  for (let attempt = 1; ; attempt += 1) {
    const result = await read();
    if (result.ok || attempt >= policy.attempts || !isRetryable(result) || signal?.aborted === true)
      return result;
    const asked = result.retryAfterS === null ? 0 : Math.ceil(result.retryAfterS * 1000);
    if (asked > policy.maxWaitMs) return result;
    try {
      await pause(Math.max(asked, Math.min(growing, policy.maxWaitMs)), signal);
    } catch (error) {
      if (isStopped()) return result;
      throw error;
    }
    growing *= policy.factor;
  }
}

function isRetryable(failure: ReadFailure): boolean {
  if (failure.status === null) return failure.errorType !== 'tls' && failure.errorType !== 'stream_oversize';
  return failure.status === 429 || failure.status >= 500;
}
