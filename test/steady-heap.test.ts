import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const TELL = 'data:text/javascript,console.error(JSON.stringify(process.execArgv.slice(2)))';

/** The flags with which the program was started, and started itself anew. */
function starts(command: string): { readonly status: number | null; readonly flags: string[] } {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', TELL, 'bin/weighbridge.mjs', command, '--help'],
    { encoding: 'utf8' },
  );
  return { status, flags: stderr.trim().split('\n') };
}

test('the daemon alone starts itself anew, once, with the flags that V8 takes at its start', () => {
  expect(starts('probe')).toEqual({
    status: 0,
    flags: ['[]', '["--no-memory-reducer","--v8-pool-size=1"]'],
  });
  expect(starts('plan')).toEqual({ status: 0, flags: ['[]'] });
});
