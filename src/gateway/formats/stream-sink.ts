import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../time/clock.ts';
import type { TimerWheel } from '../time/timer-wheel.ts';

/**
 * How a stream is cut: `eof` ends the chunked body without its terminator event, `fin` closes the socket inside it,
 * `reset` does so by RST.
 */
export type CutManner = 'eof' | 'fin' | 'reset';

/** Where the bytes of a stream go: the response itself, or what a fault puts before it. */
export interface StreamSink {
  /** False: nothing may be written until `onceDrained` calls. */
  write(bytes: string | Buffer): boolean;
  onceDrained(resume: () => void): void;
  /** Ends the response properly; `ended` is called when its last byte was handed over. */
  end(bytes: string | Buffer, ended: () => void): void;
  /** Ends the connection in the place of the response, after what was written. */
  cut(manner: CutManner): void;
  /** Calls once `ms` have passed, not at all when the gateway closes before. */
  later(ms: number, action: () => void): void;
}

/** The response of a stream whose head was written. */
export class ResponseSink implements StreamSink {
  readonly #raw: ServerResponse;
  readonly #clock: Clock;
  readonly #wheel: TimerWheel;
  #begun = false;
  /** What the last write went to. */
  #full: ServerResponse | Socket;

  constructor(raw: ServerResponse, { clock, wheel }: { readonly clock: Clock; readonly wheel: TimerWheel }) {
    this.#raw = raw;
    this.#full = raw;
    this.#clock = clock;
    this.#wheel = wheel;
  }

  /**
   * One write of the whole chunk: node:http would hand over its length, its text and two line ends as four, for twice
   * the price. The first write is left to it, since the head may wait for that.
   */
  write(bytes: string | Buffer): boolean {
    const { socket, chunkedEncoding } = this.#raw;
    if (!this.#begun || socket === null || !chunkedEncoding || typeof bytes !== 'string') {
      this.#begun = true;
      this.#full = this.#raw;
      return this.#raw.write(bytes);
    }
    const length = Buffer.byteLength(bytes);
    if (length === 0) return true;
    this.#full = socket;
    return socket.write(
      `${length.toString(16)}\r\n${bytes}\r\n`,
      length === bytes.length ? 'latin1' : 'utf8',
    );
  }

  onceDrained(resume: () => void): void {
    this.#full.once('drain', resume);
  }

  end(bytes: string | Buffer, ended: () => void): void {
    this.#raw.end(bytes);
    ended();
  }

  cut(manner: CutManner): void {
    if (manner === 'eof') {
      this.#raw.end();
      return;
    }
    const { socket } = this.#raw;
    // Both send what was written first; neither sends the chunk that ends the body.
    if (manner === 'fin') socket?.end(() => socket.destroy());
    else socket?.write('', () => socket.resetAndDestroy());
  }

  later(ms: number, action: () => void): void {
    this.#wheel.at(this.#clock.monoMs() + ms, () => action());
  }
}

/** Ends a stream politely where it would only end: what was cut looks whole as HTTP. Other cuts stay as they are. */
export class InventedEnd implements StreamSink {
  readonly #sink: StreamSink;
  readonly #ending: () => string;

  constructor(sink: StreamSink, ending: () => string) {
    this.#sink = sink;
    this.#ending = ending;
  }

  write(bytes: string | Buffer): boolean {
    return this.#sink.write(bytes);
  }

  onceDrained(resume: () => void): void {
    this.#sink.onceDrained(resume);
  }

  end(bytes: string | Buffer, ended: () => void): void {
    this.#sink.end(bytes, ended);
  }

  cut(manner: CutManner): void {
    if (manner === 'eof') this.#sink.end(this.#ending(), () => {});
    else this.#sink.cut(manner);
  }

  later(ms: number, action: () => void): void {
    this.#sink.later(ms, action);
  }
}
