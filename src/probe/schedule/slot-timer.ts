import type { ProbeClock } from './probe-clock.ts';
import type { SlotPlan } from './slot-plan.ts';

/** A start that is later than this was missed: the process stood still, and all that fell due meanwhile must not start at once. */
const MISSED_MS = 5_000;
/** Missed starts of rare probes are made up for over this time. */
const SPREAD_MS = 60_000;
/** A free read starts once within this time, so that a new daemon shows figures while somebody still looks. */
const EARLY_MS = 20_000;
/** A planned start that is nearer than this is early enough. */
const SOON_MS = 30_000;

/** A start that has fallen due: its slot, and when it was to be on the monotonic clock. */
export interface DueSlot {
  readonly slot: number;
  readonly due_mono: number;
}

/** Tells when the slots of a plan fall due, one after the other and none twice. */
export class SlotTimer {
  readonly plan: SlotPlan;
  readonly #clock: ProbeClock;
  /** Wall time at 0 of the monotonic clock. */
  readonly #epoch: number;
  readonly #fire: (due: DueSlot) => void;
  #slot: number;
  #due_mono: number;
  #cancel: () => void = () => {};

  /** `early`: the first start comes within half a minute, whatever the interval. */
  constructor(
    plan: SlotPlan,
    clock: ProbeClock,
    epoch: number,
    early: boolean,
    fire: (due: DueSlot) => void,
  ) {
    this.plan = plan;
    this.#clock = clock;
    this.#epoch = epoch;
    this.#fire = fire;
    this.#slot = plan.nextAfter(this.#now());
    this.#due_mono = plan.startOf(this.#slot) - epoch;
    if (early && this.#due_mono - clock.mono_ms() > SOON_MS) {
      // It stands for the slot that passed before this daemon began.
      this.#slot -= 1;
      this.#due_mono = clock.mono_ms() + plan.spreadOf(this.#slot) * EARLY_MS;
    }
    this.#arm();
  }

  stop(): void {
    this.#cancel();
  }

  #arm(): void {
    this.#cancel = this.#clock.setTimer(Math.max(0, this.#due_mono - this.#clock.mono_ms()), () =>
      this.#elapsed(),
    );
  }

  #elapsed(): void {
    const due = { slot: this.#slot, due_mono: this.#due_mono };
    const late = this.#clock.mono_ms() - due.due_mono;
    // A timer may be early by a fraction of a millisecond.
    if (late < 0) {
      this.#arm();
      return;
    }
    const isMissed = late > Math.min(MISSED_MS, this.plan.interval_ms / 2);
    const next = Math.max(due.slot + 1, this.plan.nextAfter(this.#now()));
    const isRare = this.plan.startOf(next) - this.#now() > 2 * SPREAD_MS;
    if (isMissed && isRare) {
      this.#due_mono = this.#clock.mono_ms() + this.plan.spreadOf(due.slot) * SPREAD_MS;
    } else {
      this.#slot = next;
      this.#due_mono = this.plan.startOf(next) - this.#epoch;
    }
    this.#arm();
    if (!isMissed) this.#fire(due);
  }

  #now(): number {
    return this.#epoch + this.#clock.mono_ms();
  }
}
