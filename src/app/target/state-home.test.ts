import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { markEngine, unmarkEngine } from '../../state/running-mark.ts';
import { holdTarget } from './state-home.ts';

test('one run at a time puts load on a target, and the second is told who does', () => {
  const home = mkdtempSync(`${tmpdir()}/hold-target-`);
  onTestFinished(() => rmSync(home, { recursive: true }));
  const held = holdTarget(home);
  expect(() => holdTarget(home)).toThrow(
    expect.objectContaining({
      code: 'target_in_use',
      exitCode: 2,
      message: expect.stringMatching(
        `process ${process.pid} on ${hostname()}\\) holding it since .*, for 0 s`,
      ),
    }),
  );
  held?.release();
  holdTarget(home)?.release();
  expect(holdTarget(null)).toBeNull();
});

test('a load engine that outlived its run puts load on the target until it has ended', () => {
  const home = mkdtempSync(`${tmpdir()}/hold-target-`);
  onTestFinished(() => rmSync(home, { recursive: true }));
  markEngine(home, '20261120T120000Z-dead', process.pid);
  expect(() => holdTarget(home)).toThrow(
    expect.objectContaining({
      code: 'target_in_use',
      message: expect.stringMatching(
        `the last calls of run 20261120T120000Z-dead, whose command was killed: k6 \\(process ${process.pid} on .* running since`,
      ),
    }),
  );
  unmarkEngine(home);
  expect(holdTarget(home)).not.toBeNull();
});
