import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A Node below 22 on the PATH; without one the promise of one clear line cannot be checked, which is a failure. */
export function oldNode(): string {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
    .filter((path) => existsSync(path))
    .find(
      (path) =>
        Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' })) < 22,
    );
  if (found === undefined)
    throw new Error('this test needs a Node below 22 on the PATH beside the one it runs under');
  return found;
}
