import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What it measures includes the wait that it asks for. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 10_000;

export interface LoopLag {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export type DelayHistogram = Pick<
  ReturnType<typeof monitorEventLoopDelay>,
  'count' | 'max' | 'percentile' | 'reset'
>;

/**
 * How late timers are, in seconds. The figures of a full window stand until the next one is full, so that a second scraper
 * does not halve what the first sees; an empty histogram of Node gives NaN and 2^63, and is none here.
 */
export class EventLoopLag {
  readonly #now: () => number;
  readonly #histogram: DelayHistogram;
  readonly #stop: () => void;
  #windowBegan: number;
  #last: LoopLag | null = null;

  constructor(now: () => number, histogram: DelayHistogram, stop: () => void = () => {}) {
    this.#now = now;
    this.#histogram = histogram;
    this.#stop = stop;
    this.#windowBegan = now();
  }

  static start(now: () => number): EventLoopLag {
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
    return new EventLoopLag(now, histogram, () => histogram.disable());
  }

  /** Null before there is a figure. */
  read(): LoopLag | null {
    if (this.#histogram.count === 0) return this.#last;
    const at = this.#now();
    const full = at - this.#windowBegan >= WINDOW_MS;
    if (!full && this.#last !== null) return this.#last;
    const read = {
      p50: lateness(this.#histogram.percentile(50)),
      p99: lateness(this.#histogram.percentile(99)),
      max: lateness(this.#histogram.max),
    };
    if (!full) return read;
    this.#histogram.reset();
    this.#windowBegan = at;
    this.#last = read;
    return read;
  }

  close(): void {
    this.#stop();
  }
}

function lateness(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
}
