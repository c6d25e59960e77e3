import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wantsColour, withoutControls } from './terminal.ts';

const BIN = fileURLToPath(new URL('../../bin/weighbridge.mjs', import.meta.url));

/** A device on which every write fails for want of room. */
const FULL = '/dev/full';

test.skipIf(!existsSync(FULL)).for([['--help'], ['plan', '--no-such-flag', '--json']])(
  'a stdout that cannot be written is one line with a code and exit 1: %s',
  (args) => {
    const full = openSync(FULL, 'w');
    const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    const told = stderr.split('\n').filter((line) => line.includes('stdout'));
    expect(told).toEqual([
      'error: stdout cannot be written (ENOSPC: no space left on device, write); files are written all the same; code: stdout_failed',
    ]);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(status).toBe(1);
  },
);

test('what a target says cannot steer the terminal', () => {
  const said = 'HTTP 401: \u001b[31mred\u001b]0;title\u0007\r\u009b2J\u202e\u007f';
  const shown = String.raw`HTTP 401: \u001b[31mred\u001b]0;title\u0007\u000d\u009b2J\u202e\u007f`;
  expect(withoutControls(said)).toBe(shown);
  expect(withoutControls('a\tb\n  é 中')).toBe('a\tb\n  é 中');
  expect(JSON.parse(withoutControls('{"a":"\u009b"}'))).toEqual({ a: '\u009b' });
  const { stderr } = spawnSync(process.execPath, [BIN, 'report', '--run', '\u001b[31m'], {
    encoding: 'utf8',
  });
  expect(stderr).toContain(String.raw`\u001b[31m`);
  expect(stderr).not.toContain('\u001b');
});

test('NO_COLOR leaves out colours unless it is empty', () => {
  expect([{}, { NO_COLOR: '' }, { NO_COLOR: '1' }, { NO_COLOR: '0' }].map(wantsColour)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a pipe that is closed early is no fault', () => {
  const command = ['-c', '"$0" "$1" --help | true', process.execPath, BIN];
  const { stderr } = spawnSync('sh', command, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  expect(stderr).toBe('');
});
