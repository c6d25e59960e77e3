import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './run-weighbridge.ts';

/** The command that set-up installed under .cache/NAME. `node_modules` may be a link into another copy of the tree, which has the cache. */
export function pythonTool(name: string): string {
  const home = dirname(realpathSync(join(ROOT, 'node_modules')));
  return readFileSync(join(home, '.cache', name, 'current'), 'utf8').trim();
}
