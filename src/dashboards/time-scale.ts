const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * How fast the world of the rules runs. 1 is what is shipped; at 1/600 a day lasts 144 seconds, so that a test can see every
 * alert fire and clear. Ranges, offsets, `for` and constants all pass through here: none may stay behind.
 */
export class TimeScale {
  readonly factor: number;
  readonly latencyFactor: number;
  readonly #shortestMs: number;

  constructor(factor: number, latencyFactor = factor, shortestMs = 1) {
    if (!(factor > 0 && factor <= 1))
      throw new RangeError(`a time scale is above 0 and at most 1, found ${factor}`);
    this.factor = factor;
    this.latencyFactor = latencyFactor;
    this.#shortestMs = shortestMs;
  }

  /** `5m` as Prometheus reads it: itself at scale 1, else whole milliseconds, and none below the shortest. */
  span(text: string): string {
    if (this.factor === 1) return text;
    return `${Math.max(this.#shortestMs, Math.round(scaledSeconds(text) * this.factor * 1000))}ms`;
  }

  /** A length of time that an expression compares with, in seconds. */
  seconds(text: string): string {
    return String(Number((scaledSeconds(text) * this.factor).toFixed(6)));
  }

  /** A bound on how fast the target answers: what a machine can do in a millisecond does not shrink with the windows. */
  latency(text: string): string {
    return String(Number((scaledSeconds(text) * this.latencyFactor).toFixed(6)));
  }
}

export function scaledSeconds(text: string): number {
  const [, count = '', unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const size = UNIT_SECONDS[unit];
  if (size === undefined) throw new RangeError(`a span is a whole number and s, m, h or d, found ${text}`);
  return Number(count) * size;
}
