import type { Clock } from '../clock.ts';
import type { TimerHandle, TimerWheel } from '../latency/timer-wheel.ts';

/** Settlements that a fault holds back; those that still wait when the gateway stops are made then. */
export class LateSettlements {
  readonly #clock: Clock;
  readonly #wheel: TimerWheel;
  readonly #waiting = new Map<() => void, TimerHandle>();

  constructor(clock: Clock, wheel: TimerWheel) {
    this.#clock = clock;
    this.#wheel = wheel;
  }

  after(wait_ms: number, settle: () => void): void {
    const timer = this.#wheel.at(this.#clock.monoMs() + wait_ms, () => {
      this.#waiting.delete(settle);
      settle();
    });
    this.#waiting.set(settle, timer);
  }

  settleAll(): void {
    for (const [settle, timer] of this.#waiting) {
      timer.cancel();
      settle();
    }
    this.#waiting.clear();
  }
}
