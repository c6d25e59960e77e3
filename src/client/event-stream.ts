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

const LF = 10;
const CR = 13;
const COLON = 58;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * Tells whether an event stream stopped inside an event. eventsource-parser drops the unfinished rest without a word,
 * so the line structure is followed apart from it.
 */
class HalfEvent {
  #position = 0;
  #line = 0;
  #comment = false;
  #open = false;
  #afterCr = false;

  feed(chunk: Uint8Array): void {
    for (const byte of chunk) this.#take(byte);
  }

  #take(byte: number): void {
    const afterCr = this.#afterCr;
    this.#afterCr = byte === CR;
    if (byte === LF && afterCr) return;
    if (byte === LF || byte === CR) {
      this.#open = this.#line > 0 && (this.#open || !this.#comment);
      this.#line = 0;
      this.#position = -1;
      return;
    }
    if (this.#line === 0) this.#comment = byte === COLON;
    this.#line += 1;
    this.#skipMark(byte);
  }

  /** The mark is no part of the first line. */
  #skipMark(byte: number): void {
    if (this.#position < 0) return;
    this.#position = byte === BYTE_ORDER_MARK[this.#position] ? this.#position + 1 : -1;
    if (this.#position === BYTE_ORDER_MARK.length) {
      this.#line = 0;
      this.#position = -1;
    }
  }

  /** A field line since the last blank line, or an unfinished line that is no comment. */
  get pending(): boolean {
    return this.#open || (this.#line > 0 && !this.#comment);
  }
}

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
