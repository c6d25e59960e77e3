import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readyEngine } from '../../src/app/load/ready-engine.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { ROOT, runWeighbridge, scratchDir } from '../support/run-weighbridge.ts';

test('a load engine that changes between the trial and the load is not started again', async () => {
  const { ready, close } = await startGateway({ port: 0, seed: 4, latency: 'fast' });
  onTestFinished(close);
  const dir = scratchDir();
  const k6 = join(dir, 'k6');
  const { path } = await readyEngine(process.env, () => undefined, ROOT);
  // The first start makes another file of it.
  const script = `#!/bin/sh\necho '#' >> "$0"\nexec '${path}' "$@"\n`;
  writeFileSync(k6, script, { mode: 0o755 });
  const done = await runWeighbridge(
    [
      'audit',
      '--target',
      ready.base_url,
      '--max-spend-usd',
      '1',
      '--duration',
      '2s',
      '--out',
      join(dir, 'out'),
    ],
    {
      env: {
        WEIGHBRIDGE_API_KEY: ready.api_key,
        WEIGHBRIDGE_K6: k6,
        WEIGHBRIDGE_K6_SHA256: createHash('sha256').update(script).digest('hex'),
      },
    },
  );
  expect(readFileSync(k6, 'utf8')).toBe(`${script}#\n`);
  expect(done).toMatchObject({ status: 2, stderr: expect.stringContaining('code: k6_altered') });
});
