import { seededRandom } from '../../core/seeded-random.ts';

/** Either way, as a part of the interval: two starts are then between 0.9 and 1.1 intervals apart. */
const JITTER = 0.05;

/**
 * When a probe is to start: slot n at n intervals since the epoch, a phase that its name gives, and some jitter. Each start
 * counts from the epoch, never from another run, so that nothing drifts and a restart finds the same slots.
 */
export class SlotPlan {
  readonly interval_ms: number;
  readonly #phase: number;
  readonly #key: readonly string[];

  /** The key: what the phase and the jitter depend on. */
  constructor(interval_ms: number, ...key: readonly string[]) {
    this.interval_ms = interval_ms;
    this.#key = key;
    this.#phase = seededRandom('phase', ...key).next() * interval_ms;
  }

  /** Milliseconds since the epoch. */
  startOf(slot: number): number {
    const share = 2 * seededRandom('jitter', ...this.#key, slot).next() - 1;
    return slot * this.interval_ms + this.#phase + share * JITTER * this.interval_ms;
  }

  /** The first slot that starts after this moment. */
  nextAfter(ms: number): number {
    let slot = Math.floor((ms - this.#phase) / this.interval_ms);
    while (this.startOf(slot) <= ms) slot += 1;
    return slot;
  }

  /** Between 0 and 1, for a slot that is made up for: of its own for each probe. */
  spreadOf(slot: number): number {
    return seededRandom('spread', ...this.#key, slot).next();
  }
}
