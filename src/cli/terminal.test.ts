import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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

test('a pipe that is closed early is no fault', () => {
  const command = ['-c', '"$0" "$1" --help | true', process.execPath, BIN];
  const { stderr } = spawnSync('sh', command, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  expect(stderr).toBe('');
});
