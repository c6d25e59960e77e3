import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startDrive } from './start-drive.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-drive-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Tells its arguments, and that two pushes failed. */
const ENGINE = `#!/bin/sh
printf '%s\\n' "$@"
for n in 1 2; do
  echo 'level=error msg="Failed to send the time series data to the endpoint" error="refused"' >&2
done
`;

test('further outputs and tags are passed on to k6, and pushes that fail are counted', async () => {
  const k6 = join(dir, 'k6');
  writeFileSync(k6, ENGINE);
  chmodSync(k6, 0o755);
  const drive = await startDrive({
    k6,
    script: 'mixed.js',
    planPath: 'plan.json',
    runDir: dir,
    instance: 'i0',
    outputs: ['csv=a.csv', 'experimental-prometheus-rw'],
    tags: { testid: 'r1', target_name: 'a b=c' },
    env: { PATH: process.env['PATH'] },
    onState: () => undefined,
    onCalls: () => undefined,
  });
  expect(await drive.finished).toMatchObject({ failedPushes: 2, interrupted: false });
  const said = readFileSync(join(dir, 'run.log'), 'utf8').split('\n');
  expect(said).toEqual(expect.arrayContaining([`weighbridge=${join(dir, 'calls')}`]));
  const after = said.slice(said.indexOf(`weighbridge=${join(dir, 'calls')}`) + 1);
  expect(after.slice(0, 9)).toEqual([
    ...['--out', 'csv=a.csv', '--out', 'experimental-prometheus-rw'],
    ...['--tag', 'testid=r1', '--tag', 'target_name=a b=c', 'mixed.js'],
  ]);
});
