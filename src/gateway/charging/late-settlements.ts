import type { Clock } from '../time/clock.ts';
import type { TimerHandle, TimerWheel } from '../time/timer-wheel.ts';

/** Settlements that a fault holds back; those that still wait when the gateway stops are made then. */
export class LateSettlements {
  readonly #clock: Clock;
  readonly #wheel: TimerWheel;
  readonly #waiting = new Map<() => void, { readonly due: number; readonly timer: TimerHandle }>();

  constructor(clock: Clock, wheel: TimerWheel) {
    this.#clock = clock;
    this.#wheel = wheel;
  }

  /** Gives the moment of the monotonic clock at which it is due. */
  after(wait_ms: number, settle: () => void): number {
    const due = this.#clock.monoMs() + wait_ms;
    const timer = this.#wheel.at(due, () => {
      this.#waiting.delete(settle);
      settle();
    });
    this.#waiting.set(settle, { due, timer });
    return due;
  }

  /** In the order in which they were due, those that a settlement brings forth after it. */
  settleAll(): void {
    while (this.#waiting.size > 0) {
      const inOrder = [...this.#waiting].sort(([, left], [, right]) => left.due - right.due);
      this.#waiting.clear();
      for (const [settle, { timer }] of inOrder) {
        timer.cancel();
        settle();
      }
    }
  }
}
