import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { buildVegeta, ROOT } from '../../engine/build-tools.ts';
import { callsOf, type NamedPeer, NOT_TOLD, promptOf } from '../peer.ts';

const NS_PER_MS = 1e6;
const reportSchema = z.object({
  latencies: z.object({ '50th': z.number(), '99th': z.number() }),
  status_codes: z.record(z.string(), z.number()),
});

/** Reads each answer whole: it knows no first token. */
export const vegeta: NamedPeer = {
  name: 'vegeta',
  install() {
    const path = buildVegeta();
    const [, version = 'unknown'] =
      /vegeta\/v12 (v\S+)/.exec(readFileSync(join(ROOT, 'bench/engine/vegeta/go.mod'), 'utf8')) ?? [];
    return {
      version,
      command(load, folder) {
        const targets = Array.from({ length: callsOf(load) }, (_, n) => ({
          method: 'POST',
          url: `${load.root}/v1/chat/completions`,
          header: { 'content-type': ['application/json'], authorization: [`Bearer ${load.key}`] },
          body: Buffer.from(
            JSON.stringify({
              model: load.model,
              messages: [{ role: 'user', content: promptOf(n) }],
              max_tokens: load.max_tokens,
              stream: true,
            }),
          ).toString('base64'),
        }));
        writeFileSync(
          join(folder, 'targets.json'),
          targets.map((each) => `${JSON.stringify(each)}\n`).join(''),
        );
        const to = [`-targets=${join(folder, 'targets.json')}`, `-output=${join(folder, 'results.bin')}`];
        const rate = [`-rate=${load.per_s}/1s`, `-duration=${load.seconds}s`, '-timeout=60s'];
        return { command: [path, 'attack', '-format=json', ...to, ...rate] };
      },
      read(folder) {
        const report = spawnSync(path, ['report', '-type=json', join(folder, 'results.bin')], {
          encoding: 'utf8',
        });
        const { latencies, status_codes } = reportSchema.parse(JSON.parse(report.stdout));
        return {
          ttft: NOT_TOLD,
          e2e: { p50: latencies['50th'] / NS_PER_MS, p99: latencies['99th'] / NS_PER_MS },
          completed: status_codes['200'] ?? 0,
        };
      },
    };
  },
};
