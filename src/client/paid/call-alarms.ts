import type { CallTimeouts } from '../../contracts/plan.ts';
import type { CallClock } from './call-clock.ts';

/** Limits of one exchange, ms; 0 means none. First token and total count from the start, headers from the connection. */
export type ExchangeTimeouts = Omit<CallTimeouts, 'task_ms'>;

export type AlarmName =
  | 'timeout_connect'
  | 'timeout_headers'
  | 'timeout_first_token'
  | 'timeout_idle'
  | 'timeout_total'
  | 'drained';

/**
 * The deadlines of one exchange. undici's own timers are off: they ring up to a second late. The first alarm that
 * rings is the last: it ends the exchange. What came before it is read first, and may put it off.
 */
export class CallAlarms {
  readonly #clock: CallClock;
  readonly #catchUp: () => void;
  readonly #onRing: (name: AlarmName) => void;
  readonly #cancels = new Map<AlarmName, () => void>();
  #stopped = false;

  constructor(clock: CallClock, catchUp: () => void, onRing: (name: AlarmName) => void) {
    this.#clock = clock;
    this.#catchUp = catchUp;
    this.#onRing = onRing;
  }

  /** Rings `ms` from now, in place of what was set before; 0 leaves it off. */
  start(name: AlarmName, ms: number): void {
    this.disarm(name);
    if (ms <= 0 || this.#stopped) return;
    const ring = (): void => {
      const rung = this.#cancels.get(name);
      if (!this.#stopped) this.#catchUp();
      if (this.#stopped || this.#cancels.get(name) !== rung) return;
      this.stop();
      this.#onRing(name);
    };
    this.#cancels.set(name, this.#clock.after(ms, ring));
  }

  disarm(name: AlarmName): void {
    this.#cancels.get(name)?.();
    this.#cancels.delete(name);
  }

  disarmAll(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }

  stop(): void {
    this.#stopped = true;
    this.disarmAll();
  }
}
