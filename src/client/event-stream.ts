import { createHash } from 'node:crypto';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { TextKind } from '../core/call-kind.ts';
import {
  createTextStream,
  type StreamEvent,
  type TextResult,
  type TextStep,
  type TextStream,
} from '../wire/text-stream.ts';
import { HalfEvent } from './event-stream-tail.ts';

export interface EventStreamResult extends TextResult {
  /** Hex, over the visible text as UTF-8; null if there was none. */
  readonly text_sha256: string | null;
}

/** Cap on one event, in UTF-16 units: large enough for an image in base64. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;

/** Turns the byte chunks of a streamed text answer into events, and these into a result that is valid at any moment. */
export class EventStream {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // the parser drops the mark, once
  readonly #hash = createHash('sha256');
  readonly #tail = new HalfEvent();
  readonly #stream: TextStream;
  readonly #parser: EventSourceParser;
  readonly #maxEventChars: number;
  #on: (event: StreamEvent, step: TextStep) => void = () => {};
  #comments = 0;
  #oversize = false;

  constructor(kind: TextKind, maxEventChars = MAX_EVENT_CHARS) {
    this.#stream = createTextStream(kind);
    this.#maxEventChars = maxEventChars;
    this.#parser = createParser({
      maxBufferSize: maxEventChars,
      onEvent: (message) => this.#take({ type: message.event ?? '', data: message.data }),
      onComment: () => {
        this.#comments += 1;
      },
      onError: (error) => {
        // Unknown fields and bad retry values are ignored, as the standard says.
        if (error.type === 'max-buffer-size-exceeded') this.#oversize = true;
      },
    });
  }

  /** Feeds a chunk; `on` is called for each event that it completes. After an oversize event nothing is read any more. */
  feed(chunk: Uint8Array, on: (event: StreamEvent, step: TextStep) => void = () => {}): void {
    if (this.#oversize) return;
    this.#on = on;
    this.#tail.feed(chunk);
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
  }

  #take(event: StreamEvent): void {
    // The parser hands out an event that came whole in one chunk without looking at its size.
    if (event.data.length > this.#maxEventChars) this.#oversize = true;
    if (this.#oversize) return;
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
    return this.#oversize || this.#tail.pending;
  }

  result(): EventStreamResult {
    const result = this.#stream.result();
    const text_sha256 = result.out_chars === 0 ? null : this.#hash.copy().digest('hex');
    if (!this.#oversize) return { ...result, text_sha256 };
    return { ...result, complete: false, error_type: 'stream_oversize', text_sha256 };
  }
}
