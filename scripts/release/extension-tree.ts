import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';

/** Path of the module in this repository. */
export const MODULE = 'weighbridge.dev/xk6';

/** Files of the extension by their names in its own repository, without tests, which read what stands around them here. */
export type ExtensionTree = ReadonlyMap<string, Uint8Array>;

/** The extension under the module path `module`, whatever it is called here. */
export function extensionTree(root: string, module: string): ExtensionTree {
  const source = join(root, 'xk6');
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && PART.test(entry.name) && !entry.name.endsWith('_test.go'))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)));
  return new Map(
    files.sort().map((name) => {
      const text = readFileSync(join(source, name), 'utf8').replaceAll(MODULE, module);
      return [name, Buffer.from(text)];
    }),
  );
}

/** A binary that somebody built there is no part. */
const PART = /\.(?:go|mod|sum|md|ts)$|^LICENSE$/;

/** The same minute in every archive: a ZIP has no time zone, and the bytes must depend on the files alone. */
const EPOCH = new Date(1980, 0, 1);

/** As a Go proxy serves a version of it: `<module>@<version>/…`. */
export function moduleZip(tree: ExtensionTree, module: string, version: string): Uint8Array {
  const named = [...tree].map(([name, bytes]) => [`${module}@v${version}/${name}`, bytes] as const);
  return zipSync(Object.fromEntries(named), { mtime: EPOCH });
}
