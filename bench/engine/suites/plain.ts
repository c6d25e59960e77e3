import * as z from 'zod';
import { runOurs, type Through } from '../clients/our-k6.ts';
import { runStock } from '../clients/stock-k6.ts';
import { type WatchedRun, watchedRun } from '../watched-run.ts';
import type { Context } from './context.ts';
import { type Contender, type Repeated, repeated } from './repeated.ts';

export const WORKERS = 64;

interface PlainFigures {
  /** Answered requests over the time of the load, as the server counted them. */
  readonly per_s: number;
  readonly cpu_s_per_10k: number;
  readonly peak_pss_mb: number;
  readonly server_cpu_s: number;
  readonly other_cpu_s: number | null;
}

export type PlainResult = Repeated<PlainFigures>;

const floorSaid = z.object({ answered: z.number(), failed: z.number() });

/** Plain calls answered at once, 64 at a time, for some seconds on one core. */
export async function plainSuite(context: Context): Promise<PlainResult[]> {
  const seconds = context.quick ? 3 : 8;
  const clients: readonly Contender[] = [
    { name: 'floor', run: (folder) => floorPlain(context, folder, seconds) },
    { name: 'k6/http', run: (folder) => stockPlain(context, folder, seconds) },
    { name: 'ours pool', run: (folder) => ourPlain(context, folder, seconds, 'scenario', WORKERS) },
    { name: 'ours 1/VU', run: (folder) => ourPlain(context, folder, seconds, 'scenario', 1) },
    { name: 'module pool', run: (folder) => ourPlain(context, folder, seconds, 'client', WORKERS) },
    { name: 'module 1/VU', run: (folder) => ourPlain(context, folder, seconds, 'client', 1) },
  ];
  return repeated(context, 'plain calls', clients, (run) => figuresOf(run, seconds));
}

function figuresOf({ used, truth, other_cpu_s }: WatchedRun, seconds: number): PlainFigures {
  return {
    per_s: truth.plain / seconds,
    cpu_s_per_10k: ((used.user_s + used.system_s) * 10_000) / truth.plain,
    peak_pss_mb: used.peak_pss_bytes / 1e6,
    server_cpu_s: truth.cpu_s,
    other_cpu_s,
  };
}

async function floorPlain(context: Context, folder: string, seconds: number): Promise<WatchedRun> {
  const url = `${context.bench.mock.rootOf({ plain: true })}/v1/chat/completions`;
  const run = await watchedRun(context.bench, {
    folder,
    command: [
      context.bench.rig,
      'floor-plain',
      '-url',
      url,
      '-workers',
      String(WORKERS),
      '-for',
      `${seconds}s`,
    ],
  });
  const { failed } = floorSaid.parse(JSON.parse(run.log));
  if (failed > 0) throw new Error(`${failed} requests of the floor failed`);
  return run;
}

async function stockPlain(context: Context, folder: string, seconds: number): Promise<WatchedRun> {
  const { run } = await runStock(context.bench, context.tools.k6, {
    folder,
    root: context.bench.mock.rootOf({ plain: true }),
    stream: false,
    scenario: { executor: 'constant-vus', vus: WORKERS, duration: `${seconds}s` },
  });
  return run;
}

/** Our k6 with plain calls for so many seconds. */
export function ourPlain(
  context: Context,
  folder: string,
  seconds: number,
  through: Through,
  calls_per_vu: number,
  args: readonly string[] = [],
): Promise<WatchedRun> {
  return runOurs(context.bench, context.tools.k6, {
    folder,
    through,
    calls_per_vu,
    args,
    planned: {
      root: context.bench.mock.rootOf({ plain: true }),
      stream: false,
      duration_ms: seconds * 1000,
      in_flight: WORKERS,
      load: { calls: null },
    },
  });
}
