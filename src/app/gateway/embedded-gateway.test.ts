import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedGateway } from './embedded-gateway.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weighbridge-embedded-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('plan, journal and readings reach the gateway', async () => {
  const readings = join(folder, 'readings.yaml');
  writeFileSync(readings, 'amount: gross\n');
  const journal = join(folder, 'journal.ndjson');
  const faults = 'scenario:two-429-then-success';
  const gateway = await startEmbeddedGateway({ seed: 1, faults, journal, readings });
  try {
    const { control_url, control_token } = gateway.ready;
    const headers = { authorization: `Bearer ${control_token}` };
    const plan: unknown = await (await fetch(`${control_url}/faults`, { headers })).json();
    expect(plan).toMatchObject({ faults: [{ fault: 'http.429_retry_after_s', when: { first: 2 } }] });
  } finally {
    await gateway.close();
  }
});

test('what the gateway refuses is told as it stands', async () => {
  const readings = join(folder, 'wrong.yaml');
  writeFileSync(readings, 'no_such_reading: 1\n');
  const start = startEmbeddedGateway({ seed: 1, faults: null, journal: null, readings });
  await expect(start).rejects.toMatchObject({
    code: 'config_invalid',
    exitCode: 2,
    message: expect.stringContaining('wrong.yaml:1:1'),
  });
});
