import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { pipAiperf, VERSIONS } from '../../engine/build-tools.ts';
import { tokenizerBeside } from '../../engine/clients/aiperf.ts';
import { callsOf, type NamedPeer } from '../peer.ts';

const quantiles = z.object({ p50: z.number(), p99: z.number() });
const exportSchema = z.object({
  time_to_first_token: quantiles,
  request_latency: quantiles,
  request_count: z.object({ avg: z.number() }),
});

export const aiperf: NamedPeer = {
  name: 'AIPerf',
  install() {
    const path = pipAiperf();
    return {
      version: VERSIONS.aiperf,
      command: (load, folder) => ({
        command: [
          path,
          'profile',
          ...['--model', load.model, '--endpoint-type', 'chat', '--streaming', '--ui', 'none'],
          ...['--url', load.root, '--api-key', load.key, '--tokenizer', tokenizerBeside(path)],
          ...['--request-rate', String(load.per_s), '--request-rate-mode', 'constant'],
          ...['--request-count', String(callsOf(load)), '--synthetic-input-tokens-mean', '40'],
          ...['--extra-inputs', `max_tokens:${load.max_tokens}`, '--artifact-dir', join(folder, 'artifacts')],
        ],
      }),
      read(folder, log) {
        const [file] = globSync(join(folder, 'artifacts/**/profile_export_aiperf.json'));
        if (file === undefined) throw new Error(`it left no export: ${log.slice(-400)}`);
        const told = exportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
        const { time_to_first_token: ttft, request_latency: e2e, request_count } = told;
        return { ttft, e2e, completed: request_count.avg };
      },
    };
  },
};
