import type { Shape } from '../mock.ts';
import type { Observed } from '../observed.ts';
import type { Bench, WatchedRun } from '../watched-run.ts';

export interface StreamLoad {
  readonly shape: Shape;
  /** Content events of a stream. */
  readonly chunks: number;
  /** Streams at once. */
  readonly workers: number;
  /** Streams of each worker, one after the other. */
  readonly each: number;
  /** Starts per second, each at its own time, of as many streams as the workers would make; null for a closed loop. */
  readonly starts_per_s: number | null;
  /** Keep the times of single events at the server. */
  readonly detail: boolean;
  readonly limit_s: number;
}

export interface StreamRun {
  readonly run: WatchedRun;
  readonly observed: Observed;
}

/** Somebody who reads streams. `folder` is empty and his own. */
export interface StreamClient {
  readonly name: string;
  run(bench: Bench, load: StreamLoad, folder: string): Promise<StreamRun>;
}

/** Figures of a client that tells only some quantiles. */
export function partlyObserved(told: Partial<Observed>): Observed {
  return {
    ttft_p50: null,
    ttft_p99: null,
    itl_p99: null,
    itl_p99_exact: null,
    mean_itl_p99: null,
    completed: 0,
    failed: 0,
    events: 0,
    max_gap: null,
    first_failure: null,
    ...told,
  };
}
