import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locateK6 } from '../../src/drive/locate-k6.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { cleanEnv, ROOT, scratchDir } from '../support/run-weighbridge.ts';

const PAGE = readFileSync(join(ROOT, 'docs/load.md'), 'utf8');
const SHOWN = [...PAGE.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text);

/** Runs lines of the page as a shell would, in a folder like a clone, against the gateway that they name. */
async function followed(lines: string, baseUrl: string, apiKey: string) {
  const dir = scratchDir();
  mkdirSync(join(dir, 'bin'));
  for (const name of ['scenarios', 'src']) symlinkSync(join(ROOT, name), join(dir, name));
  symlinkSync(locateK6(process.env), join(dir, 'bin/k6'));
  const weighbridge = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/weighbridge.mjs')}' "$@"\n`;
  writeFileSync(join(dir, 'bin/weighbridge'), weighbridge, { mode: 0o755 });
  const child = spawn('sh', ['-euc', lines.replaceAll('http://127.0.0.1:8787', baseUrl)], {
    cwd: dir,
    env: cleanEnv({ PATH: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}`, WEIGHBRIDGE_API_KEY: apiKey }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const status = await new Promise<number | null>((done) => child.once('close', done));
  return { dir, status, said };
}

test.each([
  { run: 'reports/by-hand', instances: ['i0'] },
  { run: 'reports/split', instances: ['left', 'right'] },
])(
  'the commands of the page for $run drive a plan by hand and judge it',
  async ({ run, instances }) => {
    const lines = SHOWN.find((text) => text.includes(run)) ?? '';
    const { ready, close } = await startGateway({ port: 0, seed: 1, latency: 'fast' });
    onTestFinished(close);
    const { dir, status, said } = await followed(lines, ready.base_url, ready.api_key);
    expect(status, said).toBe(0);
    const { headers, rows, problems } = await loadLedger(join(dir, run));
    expect(problems).toEqual([]);
    expect(headers.map(({ instance }) => instance).sort()).toEqual(instances);
    expect(new Set(rows.map(({ instance }) => instance))).toEqual(new Set(instances));
    expect(said).toMatch(/difference \$0/);
    const report = readFileSync(join(dir, run, 'report.md'), 'utf8');
    expect(report).toContain(`weighbridge reconcile --run ${run.replace('reports/', '')}`);
  },
  180_000,
);
