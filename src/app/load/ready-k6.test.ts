import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readyK6 } from './run-load.ts';

let root = '';

/** A package as npm installs it: the sources of k6, and none that is built. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wb-ready-'));
  mkdirSync(join(root, 'xk6/cmd/k6'), { recursive: true });
  mkdirSync(join(root, 'path'));
  writeFileSync(join(root, 'xk6/go.mod'), 'module example\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function goThat(script: string): void {
  writeFileSync(join(root, 'path/go'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'path/go'), 0o755);
}

const BUILDS =
  'for word in "$@"; do if [ "$last" = "-o" ]; then echo built > "$word"; fi; last="$word"; done';

test('k6 is built once, and the user is told', async () => {
  goThat(BUILDS);
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const env = { PATH: join(root, 'path') };
  const path = await readyK6(env, say, root);
  expect(path.startsWith(join(root, '.cache/k6'))).toBe(true);
  expect(said[0]).toMatch(/^set-up: k6: building k6/);
  const lines = said.length;
  expect(await readyK6({ PATH: '' }, say, root)).toBe(path);
  expect(said).toHaveLength(lines);
});

test('without Go it says what to install, exit 2', async () => {
  const failing = readyK6({ PATH: join(root, 'path') }, () => undefined, root);
  await expect(failing).rejects.toMatchObject({
    code: 'k6_not_built',
    exitCode: 2,
    message: expect.stringContaining('Go 1.25 or newer'),
    hint: expect.stringContaining('WEIGHBRIDGE_K6'),
  });
});

test('a k6 that is named is taken, and none is built', async () => {
  goThat('exit 1');
  const k6 = join(root, 'own-k6');
  writeFileSync(k6, '');
  const env = { PATH: join(root, 'path'), WEIGHBRIDGE_K6: k6 };
  const said: string[] = [];
  expect(await readyK6(env, (line) => said.push(line), root)).toBe(k6);
  expect(said).toEqual([]);
  const gone = readyK6({ ...env, WEIGHBRIDGE_K6: '/nowhere/k6' }, () => undefined, root);
  await expect(gone).rejects.toMatchObject({ code: 'k6_not_found' });
});
