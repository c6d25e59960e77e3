import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { buildK6, ROOT } from '../../engine/build-tools.ts';
import { type NamedPeer, NOT_TOLD } from '../peer.ts';

const metric = z.object({ values: z.record(z.string(), z.number()) });
const summarySchema = z.object({
  http_req_duration: metric,
  http_reqs: metric,
  http_req_failed: metric,
});

/** The stock module in our binary. What it calls waiting ends with the headers: it knows no first token. */
export const k6Http: NamedPeer = {
  name: 'k6/http',
  install() {
    const path = buildK6();
    const [, version = 'unknown'] =
      /go\.k6\.io\/k6\/v2 (v\S+)/.exec(readFileSync(join(ROOT, 'xk6/go.mod'), 'utf8')) ?? [];
    return {
      version,
      command: (load, folder) => ({
        command: [
          path,
          'run',
          ...['--quiet', '--no-usage-report', '--out', `weighbridge=${join(folder, 'calls')}`],
          join(ROOT, 'bench/peers/scripts/stock.ts'),
        ],
        env: { BENCH_LOAD: JSON.stringify({ ...load, summary: join(folder, 'summary.json') }) },
      }),
      read(folder) {
        const text = readFileSync(join(folder, 'summary.json'), 'utf8');
        const { http_req_duration, http_reqs, http_req_failed } = summarySchema.parse(JSON.parse(text));
        const failed = http_req_failed.values['passes'] ?? 0;
        return {
          ttft: NOT_TOLD,
          e2e: {
            p50: http_req_duration.values['p(50)'] ?? null,
            p99: http_req_duration.values['p(99)'] ?? null,
          },
          completed: (http_reqs.values['count'] ?? 0) - failed,
        };
      },
    };
  },
};
