import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { followLines } from '../support/follow-lines.ts';
import { ROOT, scratchDir } from '../support/run-weighbridge.ts';

const PAGE = readFileSync(join(ROOT, 'docs/first-audit.md'), 'utf8');

test('the gateway that cheats is found out, as the page says', async () => {
  const [lines = ''] = [...PAGE.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text);
  const { status, said } = await followLines(lines, {});
  expect(status, said).toBe(5);
  expect(said).toContain('duplicate_charge');
});

test('the commands for a gateway of one\u2019s own run as shown, in their order', async () => {
  const { ready, close } = await startGateway({ port: 0, seed: 1, latency: 'fast' });
  onTestFinished(close);
  const dir = scratchDir();
  writeFileSync(join(dir, 'key.txt'), ready.api_key);
  const shown = [...PAGE.matchAll(/^ {4}(WEIGHBRIDGE_API_KEY_FILE=.+)$/gm)].map(([, line = '']) => line);
  expect(shown.map((line) => /weighbridge (\w+)/.exec(line)?.[1])).toEqual([
    'reconcile',
    'plan',
    'audit',
    'reconcile',
  ]);
  for (const line of shown) {
    const run = readRuns(dir).at(-1) ?? '';
    const here = line
      .replace('https://gateway.example', ready.base_url)
      .replace('--duration 60s', '--duration 5s')
      .replace('20261120T100000Z-0000', run);
    const { status, said } = await followLines(here, {}, dir);
    expect(status, `${here}\n${said}`).toBe(line.includes('--month') ? 7 : 0);
  }
});

/** Those of runs; a month's folder begins with its name. */
function readRuns(dir: string): string[] {
  try {
    return readdirSync(join(dir, 'reports')).filter((name) => /^\d{8}T/.test(name));
  } catch {
    return [];
  }
}
