import type { Clock } from '../clock.ts';

/** Called when the time has come; `lateness_ms` is how far behind its due time it runs. */
export type TimerAction = (lateness_ms: number) => void;

export interface TimerHandle {
  cancel(): void;
}

interface Entry {
  readonly due: number;
  readonly tick: number;
  readonly action: TimerAction;
}

const SLOTS = 1024;

/**
 * One timer for all streams: slots of 1 ms, absolute due times, so that lateness never adds up.
 * It sleeps until the next filled slot and holds no timer while nothing is due.
 */
export class TimerWheel {
  readonly #clock: Clock;
  readonly #slots: Set<Entry>[] = Array.from({ length: SLOTS }, () => new Set());
  #count = 0;
  #turned: number;
  #timer: NodeJS.Timeout | null = null;
  #wakeTick = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#turned = Math.floor(clock.monoMs());
  }

  /** `due_ms` is a moment of the monotonic clock; the past means as soon as possible. */
  at(due_ms: number, action: TimerAction): TimerHandle {
    // An idle wheel does not turn: catch up first, or the slots passed meanwhile would be walked.
    if (this.#count === 0) this.#turned = Math.floor(this.#clock.monoMs());
    const tick = Math.max(Math.ceil(due_ms), this.#turned + 1);
    const entry: Entry = { due: due_ms, tick, action };
    this.#slot(tick).add(entry);
    this.#count += 1;
    if (tick < this.#wakeTick) this.#arm(tick);
    return {
      cancel: () => {
        if (this.#slot(tick).delete(entry)) this.#count -= 1;
      },
    };
  }

  /** Drops everything that is still due. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const slot of this.#slots) slot.clear();
    this.#count = 0;
  }

  #slot(tick: number): Set<Entry> {
    const slot = this.#slots[tick % SLOTS];
    if (slot === undefined) throw new RangeError(`timer wheel: no slot for tick ${tick}`);
    return slot;
  }

  #arm(tick: number): void {
    if (this.#closed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#wakeTick = tick;
    this.#timer = setTimeout(() => this.#turn(), Math.max(1, tick - this.#clock.monoMs()));
  }

  #turn(): void {
    this.#timer = null;
    this.#wakeTick = Number.POSITIVE_INFINITY;
    const now = Math.floor(this.#clock.monoMs());
    const first = Math.max(this.#turned + 1, now - SLOTS + 1);
    this.#turned = Math.max(this.#turned, now);
    for (let tick = first; tick <= now; tick += 1) this.#run(this.#slot(tick), now);
    if (this.#count > 0) this.#arm(this.#nextTick());
  }

  #run(slot: Set<Entry>, now: number): void {
    for (const entry of slot) {
      if (entry.tick > now) continue;
      slot.delete(entry);
      this.#count -= 1;
      entry.action(Math.max(0, this.#clock.monoMs() - entry.due));
    }
  }

  /** The first filled slot ahead; its entries may belong to a later round, then it is only looked at. */
  #nextTick(): number {
    for (let tick = this.#turned + 1; tick < this.#turned + SLOTS; tick += 1) {
      if (this.#slot(tick).size > 0) return tick;
    }
    return this.#turned + SLOTS;
  }
}
