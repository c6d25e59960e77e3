import type { Buffer } from 'node:buffer';
import * as z from 'zod';
import type { CutManner, StreamSink } from '../../formats/stream-sink.ts';
import { defineFault } from '../../hooks/fault-definition.ts';

const LONGEST_MS = 600_000;

/** The terminator event has come, the end of the response has not. */
export const netSlowClose = defineFault({
  id: 'net.slow_close',
  summary: 'Keeps the response open for a time after its terminator event.',
  charge: 'charged',
  shape: { open_ms: z.int().min(1).max(LONGEST_MS).describe('After the terminator event.') },
  applies: (call) => call.stream,
  arm: ({ open_ms }, { fire }) => ({
    sink: (next) => new SlowClosingSink(next, open_ms, fire),
  }),
});

class SlowClosingSink implements StreamSink {
  readonly #next: StreamSink;
  readonly #open_ms: number;
  readonly #fire: () => void;

  constructor(next: StreamSink, open_ms: number, fire: () => void) {
    this.#next = next;
    this.#open_ms = open_ms;
    this.#fire = fire;
  }

  write(bytes: string | Buffer): boolean {
    return this.#next.write(bytes);
  }

  onceDrained(resume: () => void): void {
    this.#next.onceDrained(resume);
  }

  /** The call has ended with its last event: what is left of the response is no work any more. */
  end(bytes: string | Buffer, ended: () => void): void {
    this.#next.write(bytes);
    this.#fire();
    ended();
    this.#next.later(this.#open_ms, () => this.#next.end('', () => {}));
  }

  cut(manner: CutManner): void {
    this.#next.cut(manner);
  }

  later(ms: number, action: () => void): void {
    this.#next.later(ms, action);
  }
}
