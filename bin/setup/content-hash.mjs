import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * SHA-256 over the names and bytes of files, in an order that no file system decides.
 * @param {readonly string[]} files
 * @param {string} base Names count from here.
 */
export function contentHash(files, base) {
  const hash = createHash('sha256');
  const named = files.map((file) => ({ file, name: relative(base, file).split(sep).join('/') }));
  named.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const { file, name } of named) {
    const bytes = readFileSync(file);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * All files under a directory that `keep` accepts by name.
 * @param {string} directory
 * @param {(name: string) => boolean} keep
 * @returns {string[]}
 */
export function filesUnder(directory, keep) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return filesUnder(path, keep);
    return entry.isFile() && keep(entry.name) ? [path] : [];
  });
}
