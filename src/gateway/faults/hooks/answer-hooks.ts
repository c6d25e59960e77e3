import type { Buffer } from 'node:buffer';

/** An answer in the place of the gateway's own. */
export interface WrongAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** The connection ends in the place of an answer: `reset` by RST, `fin` by an ordinary close. */
export type Disconnect = 'reset' | 'fin';

/** A whole answer as it is about to be sent. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body: string | Buffer;
}

/** Faults in whole answers, of every endpoint. */
export interface AnswerHooks {
  /** Before the request is handled: what is answered instead. Nothing is reserved then. */
  instead?(): WrongAnswer | Disconnect | null;
  /** The JSON value of a successful answer before it is written; null leaves it. */
  json?(value: Readonly<Record<string, unknown>>): Record<string, unknown> | null;
  /** After the request was handled, and charged: what is sent instead; null leaves it. Not for streams. */
  replace?(answer: WholeAnswer): WrongAnswer | Disconnect | null;
}
