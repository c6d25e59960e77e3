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

/** What our k6 writes, as it stands in run.log; `xk6/e2e` holds it to these beginnings. */
const HALTED =
  'time="2026-11-21T17:16:58Z" level=warning msg="weighbridge: no further calls were started: script_aborted"';
const WITH_REASON =
  'time="2026-11-21T17:16:58Z" level=error msg="test aborted: why \\"it\\"\\nended: C:\\\\new at default (file:///runs/own.js:2:45(6))"';
const WITHOUT_REASON =
  'time="2026-11-21T17:16:59Z" level=error msg="test aborted at default (file:///runs/own.js:2:45(5))"';
const IN_SETUP = 'time="2026-11-21T17:17:01Z" level=error msg="test aborted: not ready"';
const THRESHOLD =
  'time="2026-11-21T17:17:01Z" level=error msg="thresholds on metrics \'shaky, shaky{phase:measured}\' were crossed; at least one has abortOnFail enabled, stopping test prematurely"';

test.each([
  [
    'a script with a reason',
    WITH_REASON,
    'test aborted: why "it" ended: C:\\new at default (file:///runs/own.js:2:45(6))',
  ],
  ['a script without one', WITHOUT_REASON, 'test aborted at default (file:///runs/own.js:2:45(5))'],
  ['a script in its setup', IN_SETUP, 'test aborted: not ready'],
  [
    'a threshold with abortOnFail',
    THRESHOLD,
    "thresholds on metrics 'shaky, shaky{phase:measured}' were crossed; at least one has abortOnFail enabled, stopping test prematurely",
  ],
])('what k6 says of %s is told, unquoted', async (_, line, told) => {
  expect(await abortMessage(folder(HALTED, line))).toBe(told);
});

test('other errors before and after are not taken for it', async () => {
  const before = 'time="2026-11-21T17:16:57Z" level=error msg="a call failed"';
  const after = 'time="2026-11-21T17:17:02Z" level=error msg="the output failed"';
  expect(await abortMessage(folder(before, HALTED, IN_SETUP, after))).toBe('test aborted: not ready');
});

test('without a log, or without such a line, nothing is told', async () => {
  expect(await abortMessage(folder())).toBeNull();
  expect(await abortMessage(folder('time="t" level=error msg="a call failed"'))).toBeNull();
});
