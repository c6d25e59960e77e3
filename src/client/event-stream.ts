import { createHash } from 'node:crypto';
import type { TextKind } from '../core/call-kind.ts';
import { EventText } from '../wire/event-text.ts';
import {
  createTextStream,
  type StreamEvent,
  type TextResult,
  type TextStep,
  type TextStream,
} from '../wire/text-stream.ts';

export interface EventStreamResult extends TextResult {
  /** Hex, over the visible text as UTF-8; null if there was none. */
  readonly text_sha256: string | null;
}

/** Cap on one event, in UTF-16 units: large enough for an image in base64. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;

/** Turns the byte chunks of a streamed text answer into events, and these into a result that is valid at any moment. */
export class EventStream {
  readonly #hash = createHash('sha256');
  readonly #stream: TextStream;
  readonly #maxEventChars: number;
  readonly #text = new EventText({
    data: (piece) => this.#gather(piece),
    dispatch: (type) => this.#take(type),
    comment: () => {
      this.#comments += 1;
    },
  });
  #on: (event: StreamEvent, step: TextStep) => void = () => {};
  #data = '';
  #comments = 0;
  #oversize = false;

  constructor(kind: TextKind, maxEventChars = MAX_EVENT_CHARS) {
    this.#stream = createTextStream(kind);
    this.#maxEventChars = maxEventChars;
  }

  /** Feeds a chunk; `on` is called for each event that it completes. After an oversize event nothing is read any more. */
  feed(chunk: Uint8Array, on: (event: StreamEvent, step: TextStep) => void = () => {}): void {
    if (this.#oversize) return;
    this.#on = on;
    this.#text.feed(chunk);
  }

  #gather(piece: string): void {
    if (this.#oversize) return;
    this.#data += piece;
    this.#oversize = this.#data.length > this.#maxEventChars;
  }

  #take(type: string): void {
    if (this.#oversize) return;
    const event = { type, data: this.#data };
    this.#data = '';
    const step = this.#stream.event(event);
    if (step.text !== '') this.#hash.update(step.text, 'utf8');
    this.#on(event, step);
  }

  /** Whole comment lines so far (keep-alives). */
  get comments(): number {
    return this.#comments;
  }

  /** Bytes of an unfinished event are held: at the end of the input, half an event. */
  get pending(): boolean {
    return this.#oversize || this.#text.pending;
  }

  result(): EventStreamResult {
    const result = this.#stream.result();
    const text_sha256 = result.out_chars === 0 ? null : this.#hash.copy().digest('hex');
    if (!this.#oversize) return { ...result, text_sha256 };
    return { ...result, complete: false, error_type: 'stream_oversize', text_sha256 };
  }
}
