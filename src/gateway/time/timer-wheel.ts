import type { Clock } from './clock.ts';

/** Called when the time has come; `lateness_ms` is how far behind its due time it runs. */
export type TimerAction = (lateness_ms: number) => void;

export interface TimerHandle {
  cancel(): void;
}

const SLOTS = 1024;

/** A ring of timers around a head, so that a timer leaves whatever ring it stands in without a search. */
class Ring {
  next: Ring = this;
  previous: Ring = this;

  /** Puts `added` last. */
  push(added: Ring): void {
    added.previous = this.previous;
    added.next = this;
    this.previous.next = added;
    this.previous = added;
  }

  unlink(): void {
    this.previous.next = this.next;
    this.next.previous = this.previous;
    this.next = this;
    this.previous = this;
  }

  /** Moves all that stands around `other` around this one, which stands alone. */
  takeAll(other: Ring): void {
    const { next, previous } = other;
    other.next = other;
    other.previous = other;
    this.next = next;
    this.previous = previous;
    next.previous = this;
    previous.next = this;
  }

  get alone(): boolean {
    return this.next === this;
  }
}

/** One action that can be set for a time again and again, for one time at once. */
class WheelTimer extends Ring implements TimerHandle {
  readonly action: TimerAction;
  readonly #wheel: TimerWheel;
  /** Moment of the monotonic clock. */
  due = 0;
  tick = 0;

  constructor(wheel: TimerWheel, action: TimerAction) {
    super();
    this.#wheel = wheel;
    this.action = action;
  }

  /** In the place of a time set before. */
  set(due_ms: number): void {
    this.cancel();
    this.due = due_ms;
    this.#wheel.insert(this);
  }

  cancel(): void {
    if (!this.alone) this.#wheel.remove(this);
  }
}

/**
 * One timer for all streams: slots of 1 ms, absolute due times, so that lateness never adds up.
 * It sleeps until the next filled slot and holds no timer while nothing is due.
 */
export class TimerWheel {
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #slots = Array.from({ length: SLOTS }, () => new Ring());
  #count = 0;
  #turned: number;
  #timer: NodeJS.Timeout | null = null;
  #wakeTick = Number.POSITIVE_INFINITY;
  #closed = false;

  /** `failed` is given what an action throws; without it, that ends the process. */
  constructor(clock: Clock, failed: (error: unknown) => void = rethrow) {
    this.#clock = clock;
    this.#failed = failed;
    this.#turned = Math.floor(clock.monoMs());
  }

  /** `due_ms` is a moment of the monotonic clock; the past means as soon as possible. */
  at(due_ms: number, action: TimerAction): TimerHandle {
    const timer = new WheelTimer(this, action);
    timer.set(due_ms);
    return timer;
  }

  /** A timer that its owner sets by itself. */
  timer(action: TimerAction): WheelTimer {
    return new WheelTimer(this, action);
  }

  /** For timers of this wheel alone. */
  insert(timer: WheelTimer): void {
    if (this.#closed) return;
    // An idle wheel does not turn: catch up first, or the slots passed meanwhile would be walked.
    if (this.#count === 0) this.#turned = Math.floor(this.#clock.monoMs());
    timer.tick = Math.max(Math.ceil(timer.due), this.#turned + 1);
    this.#slot(timer.tick).push(timer);
    this.#count += 1;
    if (timer.tick < this.#wakeTick) this.#arm(timer.tick);
  }

  /** For timers of this wheel alone. */
  remove(timer: WheelTimer): void {
    timer.unlink();
    this.#count -= 1;
  }

  /** Drops everything that is still due, and takes nothing more. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const slot of this.#slots) while (!slot.alone) slot.next.unlink();
    this.#count = 0;
  }

  #slot(tick: number): Ring {
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

  /** The slot is emptied into a ring of its own first: an action may set or cancel any timer meanwhile. */
  #run(slot: Ring, now: number): void {
    if (slot.alone) return;
    const taken = new Ring();
    taken.takeAll(slot);
    while (!this.#closed && taken.next instanceof WheelTimer) {
      const timer = taken.next;
      timer.unlink();
      if (timer.tick > now) {
        slot.push(timer);
        continue;
      }
      this.#count -= 1;
      try {
        timer.action(Math.max(0, this.#clock.monoMs() - timer.due));
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  /** The first filled slot ahead; its timers may belong to a later round, then it is only looked at. */
  #nextTick(): number {
    for (let tick = this.#turned + 1; tick < this.#turned + SLOTS; tick += 1) {
      if (!this.#slot(tick).alone) return tick;
    }
    return this.#turned + SLOTS;
  }
}

function rethrow(error: unknown): never {
  throw error;
}
