import type { Progress, Times } from '../../notices/progress.ts';
import { errorName } from '../progress-words.ts';

const MOST_POINTS = 600;

/** One moment of a load, for the lines over time; null where it was not known. */
export interface Point {
  /** Seconds since the load began. */
  readonly s: number;
  readonly asked: number | null;
  readonly started: number | null;
  readonly in_flight: number;
  readonly ttft: Times;
  readonly e2e: Times;
  /** Failed calls so far by what they failed of. */
  readonly errors: Readonly<Record<string, number>>;
  /** For a picture alone: amounts stay decimal text. */
  readonly spent: number | null;
  readonly cap: number | null;
}

/** Keeps the moments of the load that runs, every second one where they become too many. */
export class LoadPoints {
  #instance: string | null = null;
  #points: readonly Point[] = [];

  take(progress: Progress): void {
    const { load, stage } = progress;
    if ((stage !== 'load' && stage !== 'trial') || load === null) return;
    const before = load.instance === this.#instance ? this.#points : [];
    this.#instance = load.instance;
    const s = Math.round(load.elapsed_ms / 100) / 10;
    if (before.at(-1)?.s === s) return;
    const { asked_rate, started_rate, in_flight, ttft, e2e } = load.total;
    const { at_most_usd, cap_usd } = load.spend;
    const errors = Object.fromEntries(load.errors.map((error) => [errorName(error), error.count]));
    const point = {
      ...{ s, asked: asked_rate, started: started_rate, in_flight, ttft, e2e, errors },
      ...{ spent: numberOf(at_most_usd), cap: numberOf(cap_usd) },
    };
    const kept = before.length < MOST_POINTS ? before : before.filter((_, at) => at % 2 === 0);
    this.#points = [...kept, point];
  }

  get all(): readonly Point[] {
    return this.#points;
  }
}

function numberOf(amount: string | null): number | null {
  return amount === null ? null : Number(amount);
}
