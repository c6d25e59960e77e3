import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { abortMessage } from './abort-message.ts';

function folder(...lines: string[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-log-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  if (lines.length > 0) writeFileSync(join(dir, 'run.log'), `${lines.join('\n')}\n`);
  return dir;
}

test('the last words of a script are told, unquoted', async () => {
  const dir = folder(
    'time="2026-11-21T10:00:00Z" level=error msg="a call failed"',
    'time="2026-11-21T10:00:01Z" level=error msg="test aborted: \\"too\\" slow\\nat default"',
    'time="2026-11-21T10:00:02Z" level=error msg="the output failed"',
  );
  expect(await abortMessage(dir)).toBe('test aborted: "too" slow at default');
});

test('a threshold with abortOnFail is told', async () => {
  const said =
    "thresholds on metrics 'x' were crossed; at least one has abortOnFail enabled, stopping test prematurely";
  expect(await abortMessage(folder(`time="t" level=error msg="${said}"`))).toBe(said);
});

test('without a log, or without such a line, nothing is told', async () => {
  expect(await abortMessage(folder())).toBeNull();
  expect(await abortMessage(folder('time="t" level=error msg="a call failed"'))).toBeNull();
});
