/** Time as `WaryClock` takes it. */
export interface TwoClocks {
  /** Milliseconds since the epoch; may be set to another time. */
  now_ms(): number;
  /** Milliseconds from any moment; never goes back. */
  mono_ms(): number;
}

/** Clocks that are slewed stay below it between two looks. */
const LEAST_STEP_MS = 1_000;

/** Wall time that does not take a clock set forward for time that has passed. Steps are found when it is looked at. */
export class WaryClock {
  readonly #clock: TwoClocks;
  #steps: readonly { readonly mono_ms: number; readonly ms: number }[] = [];
  #seen: { readonly wall_ms: number; readonly mono_ms: number };

  constructor(clock: TwoClocks) {
    this.#clock = clock;
    this.#seen = { wall_ms: clock.now_ms(), mono_ms: clock.mono_ms() };
  }

  /** Now, less by how far the clock was set forward within the last `for_ms`. Never later than the wall clock has it. */
  now_ms(for_ms: number): number {
    const [wall_ms, mono_ms] = [this.#clock.now_ms(), this.#clock.mono_ms()];
    const ms = wall_ms - this.#seen.wall_ms - (mono_ms - this.#seen.mono_ms);
    this.#seen = { wall_ms, mono_ms };
    if (Math.abs(ms) > LEAST_STEP_MS) this.#steps = [...this.#steps.slice(-MOST_STEPS), { mono_ms, ms }];
    const recent = this.#steps.filter((step) => mono_ms - step.mono_ms < for_ms);
    return (
      wall_ms -
      Math.max(
        0,
        recent.reduce((sum, step) => sum + step.ms, 0),
      )
    );
  }
}

/** A clock that is set all the time is not followed for ever. */
const MOST_STEPS = 100;
