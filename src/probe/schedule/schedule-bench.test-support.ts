import type { Probe, ProbeApi, ProbeTarget } from '../../contracts/probe-plan.ts';
import { FakeClock } from '../fake-clock.test-support.ts';
import type { DueRun, RunEnd } from './due-run.ts';
import { ProbeScheduler } from './probe-scheduler.ts';

export const ENDED: RunEnd = { kind: 'ended', retry_after_ms: null };

export function probeOf(name: string, interval_ms: number, api: ProbeApi = 'chat'): Probe {
  return {
    name,
    api,
    model: null,
    stream: false,
    interval_ms,
    timeout_ms: 10_000,
    max_tokens: null,
    prompt: null,
    size: null,
    quality: null,
    seconds: null,
    task_timeout_ms: null,
    negative: null,
  };
}

export function targetOf(name: string, concurrency: number, probes: readonly Probe[]): ProbeTarget {
  return {
    name,
    folder: name,
    bases: { root: 'http://127.0.0.1', v1: 'http://127.0.0.1/v1', api: 'http://127.0.0.1/api' },
    loopback: true,
    key: null,
    access_token: null,
    user_id: null,
    headers: {},
    budget: null,
    assumed_run_usd: null,
    concurrency,
    probes,
    dialect: 'auto',
    watched_models: [],
  };
}

interface Started extends DueRun {
  readonly at_mono: number;
}

/** A scheduler on a fake clock, with runs of a set length, and all that it did. */
export class ScheduleBench {
  readonly clock = new FakeClock();
  readonly started: Started[] = [];
  readonly skipped: string[] = [];
  readonly lags: number[] = [];
  readonly failed: unknown[] = [];
  readonly scheduler: ProbeScheduler;
  /** Runs under way by target, by probe, and the most of each that there were. */
  readonly #running = new Map<string, number>();
  readonly most = new Map<string, number>();
  /** How a run goes; unless set, it ends after `length` of its probe's name, at once where there is none. */
  behave: (due: DueRun) => Promise<RunEnd> = (due) => this.last(due.probe.name, due);
  lengths: Readonly<Record<string, number>> = {};

  constructor(options: { concurrency?: number; seed?: string } = {}) {
    this.scheduler = new ProbeScheduler({
      clock: this.clock,
      concurrency: options.concurrency ?? 1_000,
      seed: options.seed ?? '',
      run: (due) => this.#run(due),
      skipped: ({ target, probe }, reason) => this.skipped.push(`${target.name}/${probe.name} ${reason}`),
      lag: (ms) => this.lags.push(ms),
      failed: (_, error) => this.failed.push(error),
    });
  }

  startsOf(probe: string): number[] {
    return this.started.filter((due) => due.probe.name === probe).map(({ at_mono }) => at_mono);
  }

  /** A run that takes its time, unless it is aborted. */
  last(probe: string, { signal }: DueRun): Promise<RunEnd> {
    const ms = this.lengths[probe] ?? 0;
    if (ms === 0) return Promise.resolve(ENDED);
    return new Promise((resolve) => {
      const cancel = this.clock.setTimer(ms, () => resolve(ENDED));
      signal.addEventListener('abort', () => {
        cancel();
        resolve(ENDED);
      });
    });
  }

  async #run(due: DueRun): Promise<RunEnd> {
    const names = [due.target.name, `${due.target.name}/${due.probe.name}`, 'all'];
    for (const name of names) this.#count(name, 1);
    this.started.push({ ...due, at_mono: this.clock.mono_ms() });
    try {
      return await this.behave(due);
    } finally {
      for (const name of names) this.#count(name, -1);
    }
  }

  #count(name: string, by: number): void {
    const now = (this.#running.get(name) ?? 0) + by;
    this.#running.set(name, now);
    this.most.set(name, Math.max(now, this.most.get(name) ?? 0));
  }
}
