import type { ProbeClock } from './schedule/probe-clock.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

/** Time that only moves when a test moves it. */
export class FakeClock implements ProbeClock {
  #wall: number;
  #mono = 1_000;
  #timers: Timer[] = [];
  #orders = 0;

  constructor(wall_ms = Date.UTC(2027, 0, 15, 10, 30)) {
    this.#wall = wall_ms;
  }

  now_ms(): number {
    return this.#wall;
  }

  mono_ms(): number {
    return this.#mono;
  }

  setTimer(ms: number, fire: () => void): () => void {
    this.#orders += 1;
    const timer = { at: this.#mono + ms, order: this.#orders, fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Lets time pass; what falls due does so in its order, with all that follows from it. */
  async advance(ms: number): Promise<void> {
    const end = this.#mono + ms;
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#step(Math.max(0, timer.at - this.#mono));
      await this.#fire(timer);
    }
    this.#step(end - this.#mono);
    await settled();
  }

  /** The process stands still: all that falls due meanwhile does so at the end. */
  async freeze(ms: number): Promise<void> {
    this.#step(ms);
    await this.advance(0);
  }

  /** The wall clock is put to another time; the monotonic one runs on. */
  setWall(ms: number): void {
    this.#wall = ms;
  }

  timers(): number {
    return this.#timers.length;
  }

  #next(end: number): Timer | undefined {
    return this.#timers
      .filter(({ at }) => at <= end)
      .sort((left, right) => left.at - right.at || left.order - right.order)[0];
  }

  async #fire(timer: Timer): Promise<void> {
    this.#timers = this.#timers.filter((other) => other !== timer);
    timer.fire();
    await settled();
  }

  #step(ms: number): void {
    this.#mono += ms;
    this.#wall += ms;
  }
}

/** When every promise that could go on has done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
