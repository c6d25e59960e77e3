import { aiperf } from '../clients/aiperf.ts';
import { floor } from '../clients/floor.ts';
import { locust } from '../clients/locust.ts';
import { ourStreams } from '../clients/our-k6.ts';
import { stockStreams } from '../clients/stock-k6.ts';
import type { StreamClient, StreamLoad } from '../clients/stream-client.ts';
import type { Shape } from '../mock.ts';
import { type StreamFigures, streamFigures } from '../stream-figures.ts';
import type { Context } from './context.ts';

const CHUNKS = 50;
const SHAPE: Shape = { ttft: 200, itl: 20, chunks: CHUNKS };
/** Keeps 472 streams of 1.18 s open. */
const SPREAD_RATE = 400;
const TRAP_LEVEL = 50;

export interface StreamResult {
  readonly client: string;
  readonly level: number;
  /** One a repetition. */
  readonly runs: readonly StreamFigures[];
  /** Why runs are missing. */
  readonly failures: readonly string[];
}

/** So many streams at once: 4 of each worker at 500, 3 from 1,000 on. */
export function levelLoad(level: number): StreamLoad {
  return {
    shape: SHAPE,
    chunks: CHUNKS,
    workers: level,
    each: level < 1000 ? 4 : 3,
    starts_per_s: null,
    detail: true,
    limit_s: 120,
  };
}

/** All start at once at each level; repetitions in rounds, so that a noisy minute does not fall on one client alone. */
export async function streamsSuite(context: Context): Promise<StreamResult[]> {
  const { tools } = context;
  const results: StreamResult[] = [];
  for (const level of context.levels) {
    results.push(...(await measured(context, level, levelLoad(level), everyone(tools))));
  }
  return results;
}

/** 2,000 streams whose starts are spread evenly, about 500 of them open at a time. */
export async function spreadSuite(context: Context): Promise<StreamResult[]> {
  const load = { ...levelLoad(500), starts_per_s: SPREAD_RATE };
  const { k6 } = context.tools;
  const clients = [floor, ourStreams(k6, 'pool', 'scenario'), ourStreams(k6, '1/VU', 'scenario')];
  return measured(context, 500, load, clients);
}

/**
 * An empty event with a role comes at once: a client that takes it for the first token is 200 ms too early. The floor, which
 * parses nothing, would.
 */
export async function trapSuite(context: Context): Promise<StreamResult[]> {
  const load = levelLoad(TRAP_LEVEL);
  return measured(
    context,
    TRAP_LEVEL,
    { ...load, shape: { ...load.shape, role: true } },
    own(context.tools.k6).filter((client) => client !== floor),
  );
}

function own(k6: string): StreamClient[] {
  return [
    floor,
    ourStreams(k6, 'pool', 'scenario'),
    ourStreams(k6, '1/VU', 'scenario'),
    ourStreams(k6, 'pool', 'client'),
    ourStreams(k6, '1/VU', 'client'),
  ];
}

function everyone(tools: Context['tools']): StreamClient[] {
  return [
    ...own(tools.k6),
    stockStreams(tools.k6),
    ...(tools.locust === null ? [] : [locust(tools.locust)]),
    ...(tools.aiperf === null ? [] : [aiperf(tools.aiperf)]),
  ];
}

async function measured(
  context: Context,
  level: number,
  load: StreamLoad,
  clients: readonly StreamClient[],
): Promise<StreamResult[]> {
  const all = clients
    .filter(context.includes)
    .map((client) => ({ client, runs: [] as StreamFigures[], failures: [] as string[] }));
  for (let rep = 1; rep <= context.reps; rep += 1) {
    for (const { client, runs, failures } of all) {
      context.progress(`${level} streams, ${client.name}, ${rep} of ${context.reps}`);
      try {
        const run = await context.inFolder((folder) => client.run(context.bench, load, folder));
        runs.push(streamFigures(load, run));
        if (run.run.used.timed_out) failures.push(`it was not done after ${load.limit_s} s`);
        const { first_failure, failed } = run.observed;
        if (failed > 0)
          failures.push(`${failed} streams, the first with ${first_failure ?? 'no reason told'}`);
      } catch (cause) {
        failures.push(cause instanceof Error ? cause.message : String(cause));
      }
    }
  }
  return all.map(({ client, runs, failures }) => ({ client: client.name, level, runs, failures }));
}
