import type { ErrorType } from '../contracts/outcome.ts';

/** A free read that was answered as the interface says. */
export interface ReadOk<T> {
  readonly ok: true;
  readonly status: number;
  readonly body: T;
  /** The body as served, but for our credentials. */
  readonly bytes: Uint8Array;
  /** The body repeated a credential: what was served is not what is kept. */
  readonly masked?: true | undefined;
  /** Of `bytes`, hexadecimal. */
  readonly sha256: string;
  /** How many numbers of `body` stand as text because a double cannot hold them. */
  readonly numbersAsText: number;
  readonly requestId: string | null;
}

/** A free read that was not. What the target does is data, so this is returned and never thrown. */
export interface ReadFailure {
  readonly ok: false;
  /** Null when no answer came. */
  readonly status: number | null;
  /** The error body's `code`; null where there is none (interface §7). */
  readonly code: string | null;
  /** For people; cut, and without our credentials. */
  readonly message: string;
  readonly retryAfterS: number | null;
  readonly errorType: ErrorType;
  readonly requestId: string | null;
  /** Which read it was, where the dialect has a path of its own for it. */
  readonly read?: string | undefined;
}

export type ReadResult<T> = ReadOk<T> | ReadFailure;
