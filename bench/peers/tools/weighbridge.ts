import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { VERSION } from '../../../src/app/version/version.ts';
import { loadLedger } from '../../../src/ledger/load-ledger.ts';
import { buildK6, ROOT } from '../../engine/build-tools.ts';
import { type NamedPeer, type PeerLoad, quantilesOf } from '../peer.ts';

const verdictSchema = z.object({ result: z.string() });
const quantiles = z.object({ p50: z.number(), p99: z.number() });
const resultSchema = z.object({
  load: z.object({
    total: z.object({ ok: z.number(), latency: z.object({ ttft: quantiles, e2e: quantiles }) }),
  }),
});

const PROGRAM = join(ROOT, 'bin/weighbridge.mjs');

/** The whole command, as a user types it: plan, trial, k6, ledger, figures and reports. */
export const weighbridge: NamedPeer = {
  name: 'Weighbridge',
  install() {
    const k6 = buildK6();
    return {
      version: VERSION,
      command(load, folder) {
        const out = ['--out', join(folder, 'out'), '--state', join(folder, 'state'), '--json'];
        return {
          command: [process.execPath, PROGRAM, 'run', ...flagsOf(load, folder), ...out],
          env: { WEIGHBRIDGE_API_KEY: load.key, WEIGHBRIDGE_K6: k6 },
        };
      },
      async read(_folder, log) {
        const line = log.split('\n').findLast((each) => each.startsWith('{"run_id"'));
        const { result } = verdictSchema.parse(JSON.parse(line ?? 'null'));
        const { total } = resultSchema.parse(JSON.parse(readFileSync(result, 'utf8'))).load;
        return { ttft: total.latency.ttft, e2e: total.latency.e2e, completed: total.ok };
      },
    };
  },
};

/** k6 with a plan that was made before, as several machines run it. */
export const weighbridgeEngine: NamedPeer = {
  name: 'Weighbridge engine',
  install() {
    const k6 = buildK6();
    return {
      version: VERSION,
      command(load, folder) {
        const plan = join(folder, 'plan.json');
        const made = spawnSync(process.execPath, [PROGRAM, 'plan', ...flagsOf(load, folder), '--out', plan], {
          encoding: 'utf8',
          env: { ...process.env, WEIGHBRIDGE_API_KEY: load.key },
        });
        if (made.status !== 0) throw new Error(`the plan could not be made: ${made.stderr.slice(-400)}`);
        const bundled = spawnSync(process.execPath, [join(ROOT, 'scripts/bundle-scenarios.ts'), folder]);
        if (bundled.status !== 0) throw new Error('the scenarios could not be bundled');
        mkdirSync(join(folder, 'calls'));
        return {
          command: [
            k6,
            'run',
            ...['--quiet', '--no-usage-report', '--summary-mode=disabled'],
            ...['--out', `weighbridge=${join(folder, 'calls')}`, join(folder, 'mixed.js')],
          ],
          env: { WEIGHBRIDGE_PLAN: plan, WEIGHBRIDGE_API_KEY: load.key },
        };
      },
      async read(folder) {
        const { rows } = await loadLedger(join(folder, 'calls'));
        const ok = rows.filter(({ outcome }) => outcome === 'ok');
        return {
          ttft: quantilesOf(ok.flatMap(({ ttft_ms }) => ttft_ms ?? [])),
          e2e: quantilesOf(ok.map(({ end_ms }) => end_ms)),
          completed: ok.length,
        };
      },
    };
  },
};

function flagsOf(load: PeerLoad, folder: string): string[] {
  const config = join(folder, 'weighbridge.yaml');
  writeFileSync(
    config,
    `version: 1
duration: ${load.seconds}s
traffic:
  - { kind: chat, model: ${load.model}, rate: ${load.per_s}/s, stream: 1, max_tokens: ${load.max_tokens} }
`,
  );
  return ['--target', load.root, '--config', config, '--max-spend-usd', '50'];
}
