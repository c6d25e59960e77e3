import type { StreamFrame } from '../formats/stream-player.ts';
import type { CutManner, StreamSink } from '../formats/stream-sink.ts';
import type { TextReply } from '../formats/text-format.ts';

/** The head of a stream before it is written. */
export interface StreamHead {
  readonly headers: Readonly<Record<string, string>>;
  /** False: it waits for the first event. */
  readonly flush: boolean;
}

/** Faults of text calls, most of them of streams. */
export interface StreamHooks {
  /**
   * What the client is told instead of the reply; the charge goes by the true one. Null leaves it.
   * `count`: tokens of a text by the model's own rule.
   */
  reply?(reply: TextReply, count: (text: string) => number): TextReply | null;
  /** Null leaves it. */
  head?(head: StreamHead): StreamHead | null;
  /**
   * The events in the place of the right ones, in the order of their due times, each asked for once the one before it
   * was written. `start_ms`: when the call was accepted, on the clock of `due_ms`.
   */
  frames?(frames: Iterable<StreamFrame>, start_ms: number): Iterable<StreamFrame>;
  /** What stands between the events and the response; null leaves the way as it is. */
  sink?(sink: StreamSink): StreamSink | null;
  /** Before each stream event: how to cut now, after `written` events, or null. */
  cutBefore?(written: number): CutManner | null;
  /** Asked when a reply has ended, however it did: true gives everything back, as for a call that failed. */
  refunds?(): boolean;
}
