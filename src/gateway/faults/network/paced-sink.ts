import { Buffer } from 'node:buffer';
import type { CutManner, StreamSink } from '../../formats/stream-sink.ts';

/** How one write becomes several. */
export interface Pace {
  /** The parts of one write, in order. */
  split(bytes: Buffer): readonly Buffer[];
  /** Between two parts; 0: as soon as the one before has left. */
  readonly pause_ms: number;
}

/** Sends every write as parts, each a write of its own; nothing further is taken before the last has gone. */
export class PacedSink implements StreamSink {
  readonly #next: StreamSink;
  readonly #pace: Pace;
  readonly #queue: Buffer[] = [];
  #running = false;
  #emptied: (() => void) | null = null;

  constructor(next: StreamSink, pace: Pace) {
    this.#next = next;
    this.#pace = pace;
  }

  write(bytes: string | Buffer): boolean {
    if (bytes.length > 0) this.#queue.push(...this.#pace.split(Buffer.from(bytes)));
    if (!this.#running) this.#send();
    return !this.#running;
  }

  onceDrained(resume: () => void): void {
    this.#emptied = resume;
  }

  end(bytes: string | Buffer, ended: () => void): void {
    this.#last(bytes, () => this.#next.end('', ended));
  }

  cut(manner: CutManner): void {
    this.#last('', () => this.#next.cut(manner));
  }

  later(ms: number, action: () => void): void {
    this.#next.later(ms, action);
  }

  #last(bytes: string | Buffer, then: () => void): void {
    if (this.write(bytes)) then();
    else this.#emptied = then;
  }

  #send(): void {
    const part = this.#queue.shift();
    this.#running = part !== undefined;
    if (part === undefined) {
      const emptied = this.#emptied;
      this.#emptied = null;
      emptied?.();
      return;
    }
    const goOn = (): void => this.#afterPause();
    if (this.#next.write(part)) goOn();
    else this.#next.onceDrained(goOn);
  }

  #afterPause(): void {
    const { pause_ms } = this.#pace;
    if (pause_ms > 0) this.#next.later(pause_ms, () => this.#send());
    else setImmediate(() => this.#send());
  }
}
