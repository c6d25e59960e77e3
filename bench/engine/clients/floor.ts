import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ObservedStreams } from '../observed.ts';
import { watchedRun } from '../watched-run.ts';
import type { StreamClient } from './stream-client.ts';

const seenSchema = z.object({
  ttft_us: z.number(),
  gaps_us: z.array(z.number()),
  events: z.number(),
  error: z.string().optional(),
});

/** The bare Go client: what the work itself costs. */
export const floor: StreamClient = {
  name: 'floor',
  async run(bench, load, folder) {
    const out = join(folder, 'seen.ndjson');
    const run = await watchedRun(bench, {
      folder,
      limit_s: load.limit_s,
      detail: load.detail,
      command: [
        bench.rig,
        'floor-streams',
        ...['-url', `${bench.mock.rootOf(load.shape)}/v1/chat/completions`],
        ...['-workers', String(load.workers), '-each', String(load.each)],
        ...(load.starts_per_s === null ? [] : ['-rate', String(load.starts_per_s)]),
        ...['-chunks', String(load.chunks), '-out', out],
      ],
    });
    const all = new ObservedStreams();
    for (const line of readFileSync(out, 'utf8').trimEnd().split('\n')) {
      const seen = seenSchema.parse(JSON.parse(line));
      if (seen.error !== undefined || seen.events !== load.chunks)
        all.addFailed(seen.error ?? `${seen.events} of ${load.chunks} events`);
      else
        all.addExact(
          seen.ttft_us / 1000,
          seen.gaps_us.map((us) => us / 1000),
        );
    }
    return { run, observed: all.summary() };
  },
};
