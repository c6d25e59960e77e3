import { join } from 'node:path';
import * as z from 'zod';
import { GATEWAY_NODE_FLAGS } from '../../src/app/gateway/embedded-gateway.ts';
import { Child } from '../common/child.ts';
import { CLIENT_CORE } from '../common/pinning.ts';
import { slopeOf } from '../engine/statistics.ts';
import { ServedProcess } from '../gateway/served-process.ts';

const sample = z.object({
  runs: z.number(),
  failed: z.number(),
  rss_mb: z.number(),
  heap_mb: z.number(),
});
const told = z.union([sample, z.object({ done: z.literal(true) })]);
export type MemorySample = z.infer<typeof sample>;

/** 60 probes every four minutes are 60 runs a second: 100,000 of them are more than four days of watching. */
const FACTOR = 240;
const AT_ONCE = 'ttft: { fixed: { ms: 0 } }\nitl: { fixed: { ms: 0 } }\n';

/** Memory of a daemon whose probes start as fast as they can, after each step of runs. */
export async function memoryRound(
  folder: string,
  { runs, step }: { readonly runs: number; readonly step: number },
  each: (sample: MemorySample) => void,
): Promise<readonly MemorySample[]> {
  process.env['WEIGHBRIDGE_BENCH_TIME'] = JSON.stringify({ from_ms: Date.now(), factor: FACTOR });
  const fast = ['--import', new URL('fast-time.ts', import.meta.url).pathname];
  const gateway = await ServedProcess.start(
    'servers/weighbridge.ts',
    [AT_ONCE, join(folder, 'memory-journal.ndjson')],
    [...GATEWAY_NODE_FLAGS, ...fast],
  );
  process.env['WEIGHBRIDGE_API_KEY'] = gateway.target.api_key;
  const { child, first } = await Child.start(
    new URL('many-runs.ts', import.meta.url),
    CLIENT_CORE,
    [gateway.base_url, String(runs), String(step), join(folder, 'memory'), String(FACTOR)],
    ['--expose-gc', ...fast],
  );
  const samples: MemorySample[] = [];
  for (let message = told.parse(first); !('done' in message); message = told.parse(await child.next())) {
    samples.push(message);
    each(message);
  }
  await child.stop();
  await gateway.child.stop();
  return samples;
}

/** MB per 100,000 runs over the last 80 % of them: what the first ones fill, such as the history of each probe, is full then. */
export function slopesOf(samples: readonly MemorySample[]): {
  readonly rss: number | null;
  readonly heap: number | null;
} {
  const late = samples.slice(Math.floor(samples.length / 5));
  const per = (of: (sample: MemorySample) => number) => {
    const slope = slopeOf(late.map((each) => [each.runs / 100_000, of(each)] as const));
    return slope;
  };
  return { rss: per(({ rss_mb }) => rss_mb), heap: per(({ heap_mb }) => heap_mb) };
}
