import { callsFolder, runOurs } from '../clients/our-k6.ts';
import { type Progress, readProgress } from '../read-calls.ts';
import { slopeOf } from '../statistics.ts';
import type { Used } from '../watched-run.ts';
import type { Context } from './context.ts';

const WORKERS = 64;

export interface MemoryResult {
  readonly client: string;
  readonly calls: number;
  readonly ok: number;
  readonly rows_lost: number;
  readonly wall_s: number;
  readonly first_mb: number | null;
  readonly last_mb: number | null;
  readonly peak_mb: number;
  /** Of resident memory over the last 80 % of the calls, MB per 100,000 calls; null of too few samples. */
  readonly slope_mb_per_100k: number | null;
  readonly failure: string | null;
}

/** Whether memory grows with the number of calls: plain ones answered at once, ledger and cap on. */
export async function memorySuite(context: Context): Promise<MemoryResult[]> {
  const calls = context.quick ? 100_000 : 1_000_000;
  const results: MemoryResult[] = [];
  for (const [client, calls_per_vu] of [
    ['ours pool', WORKERS],
    ['ours 1/VU', 1],
  ] as const) {
    if (!context.includes({ name: client })) continue;
    context.progress(`${calls} calls, ${client}`);
    results.push(await measured(context, client, calls, calls_per_vu));
  }
  return results;
}

async function measured(
  context: Context,
  client: string,
  calls: number,
  calls_per_vu: number,
): Promise<MemoryResult> {
  return context.inFolder(async (folder) => {
    try {
      const { used } = await runOurs(context.bench, context.tools.k6, {
        folder,
        through: 'scenario',
        calls_per_vu,
        limit_s: 900,
        planned: {
          root: context.bench.mock.rootOf({ plain: true }),
          stream: false,
          duration_ms: 900_000,
          in_flight: WORKERS,
          load: { calls },
        },
      });
      return figures(client, calls, used, await readProgress(callsFolder(folder)));
    } catch (cause) {
      const failure = cause instanceof Error ? cause.message : String(cause);
      return {
        client,
        calls,
        ok: 0,
        rows_lost: 0,
        wall_s: 0,
        first_mb: null,
        last_mb: null,
        peak_mb: 0,
        slope_mb_per_100k: null,
        failure,
      };
    }
  });
}

function figures(client: string, calls: number, used: Used, progress: readonly Progress[]): MemoryResult {
  const points = rssByCalls(used, progress).filter(([finished]) => finished >= calls * 0.2);
  const slope = slopeOf(points);
  const last = progress.at(-1);
  return {
    client,
    calls,
    ok: last?.ok ?? 0,
    rows_lost: last?.lost ?? 0,
    wall_s: used.wall_s,
    first_mb: points[0]?.[1] ?? null,
    last_mb: points.at(-1)?.[1] ?? null,
    peak_mb: used.hwm_bytes / 1e6,
    slope_mb_per_100k: slope === null ? null : slope * 100_000,
    failure: null,
  };
}

/** Each sample of resident memory (MB) with the calls finished at that time, between the state lines around it. */
export function rssByCalls(used: Pick<Used, 'rss'>, progress: readonly Progress[]): [number, number][] {
  const points: [number, number][] = [];
  for (const { at_ms, bytes } of used.rss ?? []) {
    const after = progress.findIndex((state) => state.at_ms >= at_ms);
    const [from, to] = [progress[after - 1], progress[after]];
    if (from === undefined || to === undefined || to.at_ms === from.at_ms) continue;
    const share = (at_ms - from.at_ms) / (to.at_ms - from.at_ms);
    points.push([from.finished + share * (to.finished - from.finished), bytes / 1e6]);
  }
  return points;
}
