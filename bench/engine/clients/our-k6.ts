import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchPlan, type PlannedLoad } from '../bench-plan.ts';
import { ROOT } from '../build-tools.ts';
import { readStreams } from '../read-calls.ts';
import { type Bench, type Command, type WatchedRun, watchedRun } from '../watched-run.ts';
import type { StreamClient, StreamLoad } from './stream-client.ts';

/** Calls that a virtual user holds at once in pool mode. */
const POOL = 100;
/** Places beyond the streams that a rate keeps open: none may be dropped for want of one. */
const SPARE = 100;

/** 100 calls of each virtual user at once, or one. */
export type Mode = 'pool' | '1/VU';

/** client: the extension's Client alone. scenario: what a run does, with planned calls, prompts and markers. */
export type Through = 'client' | 'scenario';

export interface OurRun extends Pick<Command, 'folder' | 'limit_s' | 'detail'> {
  readonly through: Through;
  /** Calls at once of one virtual user. */
  readonly calls_per_vu: number;
  readonly planned: Omit<PlannedLoad, 'calls_per_vu'>;
  /** More arguments of `k6 run`. */
  readonly args?: readonly string[];
}

/** Where a run leaves its ledger. */
export function callsFolder(folder: string): string {
  return join(folder, 'calls');
}

/** Runs our k6 as a run does: ledger, metrics, cap and all checks of the answers are on. */
export function runOurs(bench: Bench, k6: string, ours: OurRun): Promise<WatchedRun> {
  const plan = benchPlan({ ...ours.planned, calls_per_vu: ours.calls_per_vu });
  const planPath = join(ours.folder, 'plan.json');
  mkdirSync(callsFolder(ours.folder), { recursive: true });
  writeFileSync(planPath, JSON.stringify(plan));
  const script =
    ours.through === 'scenario'
      ? join(bench.scenarios, 'chat.js')
      : join(ROOT, 'bench/engine/scenarios/ours.ts');
  return watchedRun(bench, {
    ...ours,
    // A missed threshold is the plan's matter.
    exits: [0, 99],
    command: [
      k6,
      'run',
      ...['--quiet', '--no-usage-report', '--summary-mode=disabled', ...(ours.args ?? [])],
      ...['--out', `weighbridge=${callsFolder(ours.folder)}`, script],
    ],
    env: {
      WEIGHBRIDGE_PLAN: planPath,
      WEIGHBRIDGE_INSTANCE: 'i0',
      WEIGHBRIDGE_API_KEY: 'sk-bench-0123456789abcdef',
      K6_NO_USAGE_REPORT: 'true',
      WEIGHBRIDGE_FLAT_METRICS: '1',
      BENCH_LOAD: JSON.stringify(scriptLoad(ours)),
    },
  });
}

/** The same load for the script that has no plan. */
function scriptLoad({ planned, calls_per_vu }: OurRun): BenchLoadText {
  const vus = Math.ceil(planned.in_flight / calls_per_vu);
  const calls = 'calls' in planned.load ? planned.load.calls : null;
  const each = calls === null ? Number.MAX_SAFE_INTEGER : Math.ceil(calls / planned.in_flight);
  const pooled = calls_per_vu > 1;
  const scenario =
    calls !== null || pooled
      ? { executor: 'per-vu-iterations', vus, iterations: pooled ? 1 : each, maxDuration: '1h' }
      : { executor: 'constant-vus', vus, duration: `${planned.duration_ms}ms` };
  return {
    root: planned.root,
    stream: planned.stream,
    scenario: { ...scenario, gracefulStop: '60s' },
    calls_per_vu: Math.min(calls_per_vu, planned.in_flight),
    each,
    lasting_s: calls === null ? planned.duration_ms / 1000 : null,
  };
}

interface BenchLoadText {
  readonly root: string;
  readonly stream: boolean;
  readonly scenario: object;
  readonly calls_per_vu: number;
  readonly each: number;
  readonly lasting_s: number | null;
}

/** ours: a run as users make it. module: the extension with a script of twenty lines. */
function ourName(mode: Mode, through: Through): string {
  return `${through === 'scenario' ? 'ours' : 'module'} ${mode}`;
}

/** Our k6 as a reader of streams, in one of its modes. */
export function ourStreams(
  k6: string,
  mode: Mode,
  through: Through,
  args: readonly string[] = [],
): StreamClient {
  return {
    name: ourName(mode, through),
    async run(bench, load, folder) {
      const run = await runOurs(bench, k6, {
        folder,
        args,
        through,
        limit_s: load.limit_s,
        detail: load.detail,
        calls_per_vu: mode === 'pool' ? Math.min(POOL, load.workers) : 1,
        planned: plannedStreams(bench, load),
      });
      return { run, observed: await readStreams(callsFolder(folder)) };
    },
  };
}

function plannedStreams(bench: Bench, load: StreamLoad): Omit<PlannedLoad, 'calls_per_vu'> {
  const calls = load.workers * load.each;
  const common = { root: bench.mock.rootOf(load.shape), stream: true };
  return load.starts_per_s === null
    ? { ...common, duration_ms: load.limit_s * 1000, in_flight: load.workers, load: { calls } }
    : {
        ...common,
        duration_ms: (calls * 1000) / load.starts_per_s,
        in_flight: load.workers + SPARE,
        load: { rate: load.starts_per_s },
      };
}
