import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { pipGuidellm, VERSIONS } from '../../engine/build-tools.ts';
import { tokenizerBeside } from '../../engine/clients/aiperf.ts';
import { callsOf, type NamedPeer } from '../peer.ts';

const MS_PER_S = 1_000;
const told = z.object({
  successful: z.object({ percentiles: z.object({ p50: z.number(), p99: z.number() }) }),
});
const outputSchema = z.object({
  benchmarks: z.tuple([
    z.object({
      metrics: z.object({
        time_to_first_token_ms: told,
        request_latency: told,
        request_totals: z.object({ successful: z.number() }),
      }),
    }),
  ]),
});

/** It asks for `/health` first, which the gateway does not have, and tells the latency in seconds. */
export const guidellm: NamedPeer = {
  name: 'GuideLLM',
  install() {
    const path = pipGuidellm();
    return {
      version: VERSIONS.guidellm,
      command(load, folder) {
        const backend = ['kind=openai_http', `target=${load.root}`, `model=${load.model}`];
        const further = [`api_key=${load.key}`, 'http2=false', 'validate_backend=false'];
        return {
          command: [
            path,
            'run',
            ...['--backend', [...backend, ...further].join(',')],
            ...['--profile', `kind=constant,rate=${load.per_s}`],
            ...['--constraint', `kind=max_requests,count=${callsOf(load)}`],
            ...['--tokenizer', `kind=huggingface_auto,model=${tokenizerBeside(path)}`],
            ...['--data', `kind=synthetic_text,prompt_tokens=40,output_tokens=${load.max_tokens}`],
            ...['--output', `kind=json,path=${join(folder, 'out.json')}`, '--disable-console'],
          ],
          env: { HF_HUB_OFFLINE: '1' },
        };
      },
      read(folder) {
        const text = readFileSync(join(folder, 'out.json'), 'utf8');
        const { metrics } = outputSchema.parse(JSON.parse(text)).benchmarks[0];
        const e2e = metrics.request_latency.successful.percentiles;
        return {
          ttft: metrics.time_to_first_token_ms.successful.percentiles,
          e2e: { p50: e2e.p50 * MS_PER_S, p99: e2e.p99 * MS_PER_S },
          completed: metrics.request_totals.successful,
        };
      },
    };
  },
};
