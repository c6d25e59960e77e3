import type { SeededRandom } from '../../core/seeded-random.ts';
import { ApiError } from '../http/api-error.ts';
import { drawTime } from './distribution.ts';
import type { LatencyModel } from './latency-model.ts';

/** A call's place among those that are served at once. */
export interface ServingPlace {
  /** Null: served at once; else it waits in the queue until this resolves. */
  readonly ready: Promise<void> | null;
  /** What its times are multiplied by; fixed when it is served. */
  readonly load: number;
  /** Once, however the call ended, also while it waited. */
  leave(): void;
}

/** The latency of one gateway: its model, which may change while it serves, and the calls that it serves. */
export class GatewayLatency {
  #model: LatencyModel;
  #serving = 0;
  /** First in, first served. */
  readonly #queue = new Set<Place>();

  constructor(model: LatencyModel) {
    this.#model = model;
  }

  get model(): LatencyModel {
    return this.#model;
  }

  /** Calls that are served already keep the load they started with. */
  use(model: LatencyModel): void {
    this.#model = model;
    this.#serveQueue();
  }

  /** One time of a part that load does not touch, ms. */
  draw(part: 'job_queue' | 'job_run' | 'video_queue' | 'video_run', random: SeededRandom): number {
    return drawTime(random, this.#model[part]);
  }

  /** One time of a part that grows with load, ms. */
  drawLoaded(part: 'ttft' | 'itl' | 'image', random: SeededRandom, { load }: ServingPlace): number {
    return drawTime(random, this.#model[part]) * load;
  }

  /** A place for a call, or one in the queue; throws ApiError 429 `upstream_crowded` when both are full. */
  take(): ServingPlace {
    const place = new Place((left) => this.#leave(left));
    if (this.#hasRoom()) this.#serve(place);
    else {
      const { max_queue, retry_after_s } = this.#model;
      if (max_queue !== null && this.#queue.size >= max_queue) throw crowded(retry_after_s);
      place.wait();
      this.#queue.add(place);
    }
    return place;
  }

  #hasRoom(): boolean {
    const { max_in_flight } = this.#model;
    return max_in_flight === null || this.#serving < max_in_flight;
  }

  #serve(place: Place): void {
    this.#serving += 1;
    place.serve(loadOf(this.#model, this.#serving));
  }

  #leave(place: Place): void {
    if (this.#queue.delete(place)) return;
    this.#serving -= 1;
    this.#serveQueue();
  }

  #serveQueue(): void {
    for (const place of this.#queue) {
      if (!this.#hasRoom()) return;
      this.#queue.delete(place);
      this.#serve(place);
    }
  }
}

/** 1 + (load_factor − 1) × min(1, calls served ÷ max_in_flight), this call among them. */
export function loadOf({ load_factor, max_in_flight }: LatencyModel, serving: number): number {
  if (max_in_flight === null || load_factor === 1) return 1;
  return 1 + (load_factor - 1) * Math.min(1, serving / max_in_flight);
}

class Place implements ServingPlace {
  ready: Promise<void> | null = null;
  load = 1;
  #served: (() => void) | null = null;
  #leave: ((place: Place) => void) | null;

  constructor(leave: (place: Place) => void) {
    this.#leave = leave;
  }

  wait(): void {
    this.ready = new Promise((resolve) => {
      this.#served = resolve;
    });
  }

  serve(load: number): void {
    this.load = load;
    this.#served?.();
  }

  leave(): void {
    this.#leave?.(this);
    this.#leave = null;
  }
}

/** interface §7: the channel for this model is busy. */
function crowded(retry_after_s: number): ApiError {
  return new ApiError({
    status: 429,
    code: 'upstream_crowded',
    message: 'The channel for this model is busy; wait and try again',
    headers: { 'retry-after': String(retry_after_s) },
  });
}
