import { floor } from '../clients/floor.ts';
import { ourStreams } from '../clients/our-k6.ts';
import type { StreamClient, StreamRun } from '../clients/stream-client.ts';
import { type Found, searchMost } from '../search.ts';
import type { Context } from './context.ts';

const EVENTS_PER_S = 20;
const PACE_MS = 1000 / EVENTS_PER_S;
const STALL_MS = 10 * PACE_MS;
const MAX_FAILED_SHARE = 0.001;

/** One level of the search. */
interface SustainedProbe {
  readonly events: number;
  readonly expected: number;
  readonly failed: number;
  readonly most_open: number;
  readonly max_gap_ms: number | null;
  /** Longest gap between two events at the server itself. */
  readonly true_max_gap_ms: number;
  readonly cpu_share: number;
  readonly server_cpu_share: number;
  readonly other_cpu_s: number | null;
}

export interface SustainedResult {
  readonly client: string;
  readonly seconds: number;
  readonly found: Found<SustainedProbe>;
  /** True when the first level above failed with a stall of the server itself: then the client may hold more. */
  readonly limited_by_server: boolean;
  readonly failure: string | null;
}

/** How many streams of 20 events a second one core reads without losing an event or falling behind by ten. */
export async function sustainedSuite(context: Context): Promise<SustainedResult[]> {
  const clients = [
    floor,
    ourStreams(context.tools.k6, 'pool', 'scenario'),
    ourStreams(context.tools.k6, '1/VU', 'scenario'),
  ];
  const results: SustainedResult[] = [];
  for (const client of clients.filter(context.includes)) results.push(await most(context, client));
  return results;
}

async function most(context: Context, client: StreamClient): Promise<SustainedResult> {
  const seconds = context.quick ? 5 : 10;
  const range = context.quick
    ? { first: 2000, step: 500, limit: 8000 }
    : { first: 2000, step: 250, limit: 8000 };
  try {
    const found = await searchMost(range, async (level) => {
      context.progress(`${level} sustained streams, ${client.name}`);
      const chunks = seconds * EVENTS_PER_S;
      const run = await context.inFolder((folder) =>
        client.run(
          context.bench,
          {
            // The first events are spread over a second: all streams beat at 20 a second, none with another.
            shape: { ttft: 1000, spread: 1000, itl: PACE_MS, chunks },
            chunks,
            workers: level,
            each: 1,
            starts_per_s: null,
            detail: false,
            limit_s: seconds * 3 + 30,
          },
          folder,
        ),
      );
      const result = probeOf(run, level * chunks);
      return { held: holds(result, level), result };
    });
    const failing = found.probes.filter(({ held }) => !held).at(-1)?.result;
    return {
      client: client.name,
      seconds,
      found,
      limited_by_server: failing !== undefined && failing.true_max_gap_ms > STALL_MS,
      failure: null,
    };
  } catch (cause) {
    return {
      client: client.name,
      seconds,
      found: { most: null, probes: [] },
      limited_by_server: false,
      failure: cause instanceof Error ? cause.message : String(cause),
    };
  }
}

function probeOf({ run, observed }: StreamRun, expected: number): SustainedProbe {
  const { used, truth } = run;
  return {
    events: observed.events,
    expected,
    failed: observed.failed,
    most_open: truth.most_open,
    max_gap_ms: observed.max_gap,
    true_max_gap_ms: Math.max(0, ...truth.streams.map(({ max_gap_us }) => max_gap_us)) / 1000,
    cpu_share: (used.user_s + used.system_s) / used.wall_s,
    server_cpu_share: truth.cpu_s / used.wall_s,
    other_cpu_s: run.other_cpu_s,
  };
}

/** Every event of the streams that did not fail, no stall, next to no failure, and all of them open at once. */
function holds(probe: SustainedProbe, level: number): boolean {
  const perStream = probe.expected / level;
  return (
    probe.failed <= level * MAX_FAILED_SHARE &&
    probe.events === probe.expected - probe.failed * perStream &&
    probe.most_open === level &&
    probe.max_gap_ms !== null &&
    probe.max_gap_ms <= STALL_MS
  );
}
