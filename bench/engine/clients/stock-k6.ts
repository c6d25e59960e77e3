import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from '../build-tools.ts';
import { type Bench, type WatchedRun, watchedRun } from '../watched-run.ts';
import { partlyObserved, type StreamClient } from './stream-client.ts';

const metric = z.object({ values: z.record(z.string(), z.number()) });
const summarySchema = z.object({
  http_req_waiting: metric,
  http_reqs: metric,
  http_req_failed: metric,
});

/** k6/http in the same binary. */
export async function runStock(
  bench: Bench,
  k6: string,
  load: {
    readonly folder: string;
    readonly root: string;
    readonly stream: boolean;
    readonly scenario: object;
    readonly detail?: boolean;
    readonly limit_s?: number;
  },
): Promise<{ run: WatchedRun; summary: z.infer<typeof summarySchema> }> {
  const summary = join(load.folder, 'summary.json');
  const run = await watchedRun(bench, {
    ...load,
    command: [
      k6,
      'run',
      ...['--quiet', '--no-usage-report', '--out', `weighbridge=${join(load.folder, 'calls')}`],
      join(ROOT, 'bench/engine/scenarios/stock.ts'),
    ],
    env: {
      K6_NO_USAGE_REPORT: 'true',
      BENCH_LOAD: JSON.stringify({ root: load.root, stream: load.stream, scenario: load.scenario, summary }),
    },
  });
  return { run, summary: summarySchema.parse(JSON.parse(readFileSync(summary, 'utf8'))) };
}

/** It calls the arrival of the headers the waiting time, and knows no gaps. */
export function stockStreams(k6: string): StreamClient {
  return {
    name: 'k6/http',
    async run(bench, load, folder) {
      const { run, summary } = await runStock(bench, k6, {
        folder,
        root: bench.mock.rootOf(load.shape),
        stream: true,
        detail: load.detail,
        limit_s: load.limit_s,
        scenario: {
          executor: 'per-vu-iterations',
          vus: load.workers,
          iterations: load.each,
          maxDuration: '1h',
          gracefulStop: '60s',
        },
      });
      const waiting = summary.http_req_waiting.values;
      const failed = summary.http_req_failed.values['passes'] ?? 0;
      return {
        run,
        observed: partlyObserved({
          ttft_p50: waiting['p(50)'] ?? null,
          ttft_p99: waiting['p(99)'] ?? null,
          completed: (summary.http_reqs.values['count'] ?? 0) - failed,
          failed,
        }),
      };
    },
  };
}
