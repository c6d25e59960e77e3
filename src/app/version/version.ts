import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Version of the package, from the package.json that ships beside bin/. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))).version;

const built = z.object({ revision: z.string().nullable() });
let known: { readonly revision: string | null } | null = null;

/** The commit that runs here: a package was told it when it was built, a clone asks git. Null where neither knows. */
export function buildRevision(): string | null {
  known ??= { revision: readRevision(ROOT) };
  return known.revision;
}

/** `root`: the folder of package.json. */
export function readRevision(root: string): string | null {
  const file = `${root}dist/build.json`;
  // Sources run in a clone alone; a dist/ there is of some earlier pack.
  if (!existsSync(`${root}src/cli`))
    return existsSync(file) ? built.parse(JSON.parse(readFileSync(file, 'utf8'))).revision : null;
  // A folder inside a foreign repository must not be told as a commit of ours.
  if (!existsSync(`${root}.git`)) return null;
  const said = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    cwd: root,
    encoding: 'utf8',
  });
  const text = said.status === 0 ? said.stdout.trim() : '';
  return text === '' ? null : text;
}

/** `0.1.0 (4aea9e1a2b3c)`, as `--version` prints it. */
export function versionText(): string {
  const revision = buildRevision();
  return revision === null ? VERSION : `${VERSION} (${revision})`;
}
