import { setTimeout as wait } from 'node:timers/promises';
import type { ReadFailure, ReadResult } from './read-result.ts';

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
