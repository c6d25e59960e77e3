import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { StateLine } from '../contracts/ledger-lines.ts';
import { stateOf } from '../workload/plan.test-support.ts';
import { type Drive, startDrive } from './start-drive.ts';

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

/** An engine that is a shell script; `$CALLS` is its ledger. */
function driveOf(script: string, onState: (state: StateLine) => void = () => undefined): Promise<Drive> {
  const runDir = mkdtempSync(join(dir, 'run-'));
  const k6 = join(runDir, 'k6');
  writeFileSync(k6, `#!/bin/sh\nCALLS='${join(runDir, 'calls/i0-0.ndjson')}'\n${script}`);
  chmodSync(k6, 0o755);
  return startDrive({
    k6,
    script: 'mixed.js',
    planPath: 'plan.json',
    runDir,
    instance: 'i0',
    outputs: [],
    tags: {},
    env: { PATH: process.env['PATH'] },
    onState,
    onCalls: () => undefined,
  });
}

/** A line of the ledger, as a shell writes it. */
const tell = (state: Partial<StateLine>) => `echo '${JSON.stringify(stateOf(state))}' >> "$CALLS"`;

test('asked twice to stop, the load engine gets one signal and closes its ledger', async () => {
  const seen: number[] = [];
  const waiting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const drive = await driveOf(
    [
      `at_int() { trap 'exit 9' INT; ${tell({ elapsed_ms: 2, halted: 'interrupted' })}; }`,
      `trap at_int INT`,
      tell({ elapsed_ms: 1 }),
      'until read line; do :; done',
      'exit 105',
    ].join('\n'),
    ({ elapsed_ms }) => {
      seen.push(elapsed_ms);
      waiting[seen.length - 1]?.resolve();
    },
  );
  await waiting[0]?.promise;
  drive.stop();
  await waiting[1]?.promise;
  drive.stop();
  drive.halt('interrupted');
  expect(await drive.finished).toMatchObject({ halted: 'interrupted', interrupted: true });
});

test('a load engine that our signal ends when it listens no more ended in order', async () => {
  const told = Promise.withResolvers<void>();
  const drive = await driveOf(`${tell({ halted: 'interrupted' })}\nread line`, () => told.resolve());
  await told.promise;
  drive.stop();
  expect(await drive.finished).toMatchObject({ halted: 'interrupted', interrupted: true });
});

test('a load engine that is stopped before it has begun was interrupted, which is no failure', async () => {
  const drive = await driveOf('read line');
  drive.stop();
  expect(await drive.finished).toMatchObject({ halted: 'interrupted', interrupted: true });
});
