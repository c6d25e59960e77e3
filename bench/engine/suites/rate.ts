import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ArrivalFigures, arrivalFigures } from '../arrival-figures.ts';
import { runOurs } from '../clients/our-k6.ts';
import { runStock } from '../clients/stock-k6.ts';
import type { Shape } from '../mock.ts';
import { type WatchedRun, watchedRun } from '../watched-run.ts';
import type { Context } from './context.ts';
import { type Contender, type Repeated, repeated } from './repeated.ts';

const RATE = 500;
const SHAPE: Shape = { plain: true, service: 5, arrivals: true };
/** Virtual users, or connections, that any of them may have. */
const MOST_AT_ONCE = 100;

interface RateFigures extends ArrivalFigures {
  readonly asked: number;
  readonly cpu_s: number;
  readonly peak_pss_mb: number;
  readonly other_cpu_s: number | null;
}

export type RateResult = Repeated<RateFigures>;

/** How evenly 500 requests a second arrive at a server that takes 5 ms for each. */
export async function rateSuite(context: Context): Promise<RateResult[]> {
  const seconds = context.quick ? 5 : 20;
  const url = `${context.bench.mock.rootOf(SHAPE)}/v1/chat/completions`;
  const clients: Contender[] = [
    { name: 'floor', run: (folder) => floorRate(context, folder, url, seconds) },
    { name: 'ours 1/VU', run: (folder) => ourRate(context, folder, seconds, 1) },
    { name: 'ours pool', run: (folder) => ourRate(context, folder, seconds, MOST_AT_ONCE) },
    { name: 'k6/http constant-arrival-rate', run: (folder) => stockRate(context, folder, seconds) },
  ];
  const { vegeta } = context.tools;
  if (vegeta !== null)
    clients.push({ name: 'vegeta', run: (folder) => vegetaRate(context, vegeta, folder, url, seconds) });
  return repeated(context, `${RATE}/s`, clients, (run) => figuresOf(run, seconds));
}

function figuresOf({ used, truth, other_cpu_s }: WatchedRun, seconds: number): RateFigures {
  return {
    ...arrivalFigures(truth.arrivals_us, RATE),
    asked: RATE * seconds,
    cpu_s: used.user_s + used.system_s,
    peak_pss_mb: used.peak_pss_bytes / 1e6,
    other_cpu_s,
  };
}

function floorRate(context: Context, folder: string, url: string, seconds: number): Promise<WatchedRun> {
  const { bench } = context;
  const command = [bench.rig, 'floor-rate', '-url', url, '-rate', String(RATE), '-for', `${seconds}s`];
  return watchedRun(bench, { folder, command });
}

function ourRate(
  context: Context,
  folder: string,
  seconds: number,
  calls_per_vu: number,
): Promise<WatchedRun> {
  return runOurs(context.bench, context.tools.k6, {
    folder,
    through: 'scenario',
    calls_per_vu,
    planned: {
      root: context.bench.mock.rootOf(SHAPE),
      stream: false,
      duration_ms: seconds * 1000,
      in_flight: MOST_AT_ONCE,
      load: { rate: RATE },
    },
  });
}

async function stockRate(context: Context, folder: string, seconds: number): Promise<WatchedRun> {
  const { run } = await runStock(context.bench, context.tools.k6, {
    folder,
    root: context.bench.mock.rootOf(SHAPE),
    stream: false,
    scenario: {
      executor: 'constant-arrival-rate',
      rate: RATE,
      timeUnit: '1s',
      duration: `${seconds}s`,
      preAllocatedVUs: MOST_AT_ONCE,
      maxVUs: MOST_AT_ONCE,
    },
  });
  return run;
}

function vegetaRate(
  context: Context,
  vegeta: string,
  folder: string,
  url: string,
  seconds: number,
): Promise<WatchedRun> {
  const [targets, body] = [join(folder, 'targets'), join(folder, 'body')];
  writeFileSync(body, JSON.stringify({ model: 'aspen-mini', messages: [] }));
  writeFileSync(targets, `POST ${url}\nContent-Type: application/json\n@${body}\n`);
  return watchedRun(context.bench, {
    folder,
    command: [
      vegeta,
      'attack',
      ...['-rate', String(RATE), '-duration', `${seconds}s`, '-targets', targets],
      ...['-output', join(folder, 'results.bin')],
    ],
  });
}
