import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isClone } from '../../bin/setup/cache-folder.mjs';
import { K6_FILE } from '../../bin/setup/k6.mjs';
import { engineList, systemName } from '../contracts/engine-list.ts';

/**
 * Finds the engine package of this system beside ours, and the hash that ours holds of it. Says why there is none to take.
 * Only what was packed with this package is taken: its hash came with us, not with the engine.
 */
export function installedEngine(
  root: string,
): string | { readonly name: string; readonly path: string; readonly sha256: string } {
  const file = join(root, 'dist/engines.json');
  // A dist/ in a clone is of some earlier pack.
  if (isClone(root)) return 'a clone takes no engine package';
  if (!existsSync(file)) return 'this build knows no engine packages';
  const { engines } = engineList.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (Object.keys(engines).length === 0) return 'this build was packed without engine packages';
  const system = systemName();
  const known = engines[system];
  if (known === undefined) return `this build was packed without an engine package for ${system}`;
  const folder = folderOf(known.package, root);
  if (folder === null) return `${known.package} ${known.version} is not installed`;
  const path = join(folder, 'bin', K6_FILE);
  return { name: known.package, path, sha256: known.sha256 };
}

function folderOf(name: string, root: string): string | null {
  try {
    return dirname(createRequire(join(root, 'package.json')).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}
