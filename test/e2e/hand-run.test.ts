import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { followLines } from '../support/follow-lines.ts';
import { ROOT } from '../support/run-weighbridge.ts';

const PAGE = readFileSync(join(ROOT, 'docs/load.md'), 'utf8');
const SHOWN = [...PAGE.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text);

test.each([
  { run: 'reports/by-hand', instances: ['i0'] },
  { run: 'reports/split', instances: ['0-1_2', '1_2-1'] },
])(
  'the commands of the page for $run drive a plan by hand and judge it',
  async ({ run, instances }) => {
    const lines = SHOWN.find((text) => text.includes(run)) ?? '';
    const { ready, close } = await startGateway({ port: 0, seed: 1, latency: 'fast' });
    onTestFinished(close);
    const { dir, status, said } = await followLines(
      lines.replaceAll('http://127.0.0.1:8787', ready.base_url),
      { WEIGHBRIDGE_API_KEY: ready.api_key },
    );
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

test('the script of the page without a plan makes its call, shows its times, and leaves no file', async () => {
  const page = readFileSync(join(ROOT, 'docs/scripts.md'), 'utf8');
  const [, line = ''] = /^```sh\n(URL=.*?)^```/ms.exec(page) ?? [];
  const { ready, close } = await startGateway({ port: 0, seed: 1, latency: 'fast' });
  onTestFinished(close);
  const { dir, status, said } = await followLines(line.replaceAll('http://127.0.0.1:8787', ready.base_url), {
    WEIGHBRIDGE_API_KEY: ready.api_key,
  });
  expect(status, said).toBe(0);
  expect(said).toMatch(/"ok.*:true,.*"ttft.*:[0-9.]+,.*"itl/);
  expect(said).toMatch(/weighbridge_ttft\.+:/);
  expect(said).not.toContain(ready.api_key);
  expect(readdirSync(dir).sort()).toEqual(['bin', 'scenarios', 'src', 'xk6']);
}, 60_000);
