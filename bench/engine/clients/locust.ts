import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from '../build-tools.ts';
import { watchedRun } from '../watched-run.ts';
import { partlyObserved, type StreamClient } from './stream-client.ts';

const toldSchema = z.object({
  ttft_p50: z.number().nullable(),
  ttft_p99: z.number().nullable(),
  itl_p99: z.number().nullable(),
  completed: z.number(),
  failed: z.number(),
  events: z.number(),
});

/** Its percentiles are rounded: above 100 ms to two figures. */
export function locust(path: string): StreamClient {
  return {
    name: 'Locust',
    async run(bench, load, folder) {
      const out = join(folder, 'told.json');
      const run = await watchedRun(bench, {
        folder,
        limit_s: load.limit_s,
        detail: load.detail,
        exits: [0, 1],
        command: [
          path,
          ...['--headless', '--only-summary', '--loglevel', 'WARNING'],
          ...['-f', join(ROOT, 'bench/engine/clients/locustfile.py')],
          ...[
            '-u',
            String(load.workers),
            '-r',
            String(load.workers),
            '--host',
            bench.mock.rootOf(load.shape),
          ],
        ],
        env: {
          BENCH_EACH: String(load.each),
          BENCH_WORKERS: String(load.workers),
          BENCH_OUT: out,
          PYTHONDONTWRITEBYTECODE: '1',
        },
      });
      const told = toldSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
      return { run, observed: partlyObserved({ ...told, itl_p99_exact: told.itl_p99 }) };
    },
  };
}
