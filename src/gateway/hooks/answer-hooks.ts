import type { Buffer } from 'node:buffer';

/** An answer in the place of the gateway's own. */
export interface WrongAnswer {
  readonly status: number;
  /** Over those that every answer has; null leaves one out. A `content-length` is sent as given, true or not. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** Empty: no body, and no content type but the one given. */
  readonly body: string | Buffer;
}

/** The connection ends in the place of an answer: `reset` by RST, `fin` by an ordinary close. */
export type Disconnect = 'reset' | 'fin';

/** A whole answer as it is about to be sent. */
interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body: string | Buffer;
}

/** What becomes of connections once the answer is out. */
export type AfterAnswer =
  /** No connection is taken for that long. */
  | { readonly does: 'refuse'; readonly for_ms: number; fired(): void }
  /** The connection closes when it was idle that long, or resets when a further request comes over it. */
  | { readonly does: 'drop'; readonly idle_ms: number; readonly race: boolean; fired(): void };

/** Faults in whole answers and of connections, of every endpoint. */
export interface AnswerHooks {
  /** Before the request is handled: what is answered instead. Nothing is reserved then. */
  instead?(): WrongAnswer | Disconnect | null;
  /** Whether a text call is carried out as a stream, whatever it asks for; null leaves it. */
  streamed?(asked: boolean): boolean | null;
  /** The JSON value of a successful answer before it is written; null leaves it. */
  json?(value: Readonly<Record<string, unknown>>): Record<string, unknown> | null;
  /** After the request was handled, and charged: what is sent instead; null leaves it. Not for streams. */
  replace?(answer: WholeAnswer): WrongAnswer | Disconnect | null;
  /** After the answer, streams included. */
  after?(): AfterAnswer | null;
}
