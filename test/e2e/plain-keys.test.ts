import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeCredentials } from '../../src/gateway/data/saved-credentials.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import {
  type Finished,
  listFiles,
  runWeighbridge,
  scratchDir,
  verdictOf,
} from '../support/run-weighbridge.ts';

/** Audits a gateway that knows this key. */
async function audited(key: string, out: string): Promise<Finished> {
  const dataDir = scratchDir();
  writeCredentials(dataDir, { api_key: key, access_token: 'token-0123456789', link_secret: '0'.repeat(64) });
  const { ready, close } = await startGateway({ port: 0, seed: 4, latency: 'fast', dataDir });
  onTestFinished(() => close());
  const flags = [
    '--target',
    ready.base_url,
    '--max-spend-usd',
    '50',
    '--duration',
    '3s',
    '--out',
    out,
    '--json',
  ];
  return runWeighbridge(['audit', ...flags, '--state', join(out, 'state')], {
    env: { WEIGHBRIDGE_API_KEY: key },
  });
}

test.each(['none', 'ok', 'chat', 'EMPTY', 'sk-1234'])(
  'with the key %s the ledger is whole and the bill is judged',
  async (key) => {
    const finished = await audited(key, scratchDir());
    expect({ status: finished.status, said: finished.stderr }).toMatchObject({ status: 0 });
    const { dir } = verdictOf(finished);
    const { problems, rows, states, unknown_lines } = await loadLedger(dir);
    expect({ problems, unknown_lines, final: states.at(-1)?.final }).toEqual({
      problems: [],
      unknown_lines: 0,
      final: true,
    });
    const counts = states.filter(({ final }) => final).flatMap(({ scenarios }) => scenarios);
    expect(counts.reduce((sum, { finished }) => sum + finished, 0)).toBe(rows.length);
    for (const file of listFiles(dir))
      expect(readFileSync(file, 'utf8')).not.toMatch(/\[(?:key|credential)\]/);
  },
);

test('a ledger of a run folder that was damaged is a fault of ours, one that was handed in is bad input', async () => {
  const out = scratchDir();
  const { dir, run_id } = verdictOf(await audited('sk-test-0123456789abcdef', out));
  const [file = ''] = listFiles(join(dir, 'calls'));
  writeFileSync(file, readFileSync(file, 'utf8').replace('"finished":', '"[key]":'));
  const own = await runWeighbridge(['reconcile', '--run', run_id, '--out', out]);
  const handed = await runWeighbridge(['reconcile', '--ledger', dir, '--out', out]);
  expect([
    own.status,
    handed.status,
    (await runWeighbridge(['report', '--run', run_id, '--out', out])).status,
  ]).toEqual([1, 2, 1]);
  for (const { stderr } of [own, handed]) expect(stderr).toContain('code: ledger_corrupt');
});
