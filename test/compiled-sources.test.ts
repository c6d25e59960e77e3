import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cleanEnv, ROOT } from './support/run-weighbridge.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** What Node tells of the sources of this start that stood compiled in the folder of the clone. */
function compiledBefore(): readonly string[] {
  const { status, stderr } = spawnSync(process.execPath, ['bin/weighbridge.mjs', '--version'], {
    cwd: ROOT,
    env: cleanEnv({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE', NODE_COMPILE_CACHE: '' }),
    encoding: 'utf8',
    // Of a first start it tells far more than is kept by default, and who tells more is killed.
    maxBuffer: MOST_BYTES,
  });
  expect(status).toBe(0);
  const found =
    /reading cache from \S*\.cache\/compiled\/\S* for \S+ file:\/\/\S*\/(src\/\S+\.ts)\.\.\..*success/g;
  return [...stderr.matchAll(found)].map(([, source = '']) => source);
}

test('a second start of a command takes its sources as the first compiled them', () => {
  compiledBefore();
  expect(compiledBefore()).toContain('src/cli/main.ts');
});
