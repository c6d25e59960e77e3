import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runWeighbridge, scratchDir } from '../support/run-weighbridge.ts';

/** A target and a key of the reader's: the demo must ask neither. */
const READERS = { WEIGHBRIDGE_TARGET: 'http://127.0.0.1:1', WEIGHBRIDGE_API_KEY_FILE: '/no/such/key' };

async function demo(...args: readonly string[]) {
  const cwd = scratchDir();
  const { status, stdout, stderr } = await runWeighbridge(['demo', ...args], { cwd, env: READERS });
  return { status, stdout, stderr, report: /report +(\S+report\.html)$/m.exec(stdout)?.[1] ?? '' };
}

test('npm run demo: from any folder, without target and key, to a verdict and a report', async () => {
  const { status, stdout, stderr, report } = await demo();
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/(\d+) of \1 charges match the price list/);
  expect(existsSync(report), stdout).toBe(true);
});

test('npm run demo -- --overcharge: calls that were charged twice are found', async () => {
  const { status, stdout, stderr } = await demo('--overcharge');
  expect(status, stderr).toBe(5);
  expect(stdout).toContain('duplicate_charge');
});
