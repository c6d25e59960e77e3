import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant, Replacement } from './mutant.ts';

/** Makes a copy of the files that git knows or would take, with the same node_modules; returns its folder. */
export function copyTree(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'weighbridge-mutant-'));
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.stdout.split('\0')) {
    if (file !== '' && existsSync(join(root, file)))
      cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Undoes a mutant to the byte; throws where it cannot, since every later run would be of a broken tree. */
export type Restore = () => void;

/** Breaks a copy; says why where the mutant does not apply. */
export function applyMutant(
  copy: string,
  { change, changed }: Pick<Mutant, 'change' | 'changed'>,
): Restore | string {
  return 'path' in change
    ? applyPatch(copy, join(copy, change.path), changed)
    : applyReplacement(copy, change);
}

function applyReplacement(copy: string, change: Replacement): Restore | string {
  const path = join(copy, change.file);
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const found = bytes.toString().split(change.find);
  if (found.length !== 2) return `${change.file} holds what it replaces ${found.length - 1} times`;
  writeFileSync(path, found.join(change.replace));
  return () => writeFileSync(path, bytes);
}

function applyPatch(copy: string, patch: string, changed: readonly string[]): Restore | string {
  const apply = (...more: string[]) =>
    spawnSync('git', ['apply', ...more, '--whitespace=nowarn', patch], { cwd: copy, encoding: 'utf8' });
  const before = changed
    .filter((path) => existsSync(join(copy, path)))
    .map((path) => ({ path: join(copy, path), bytes: readFileSync(join(copy, path)) }));
  const applied = apply();
  if (applied.status !== 0) return applied.stderr.trim();
  if (changed.length > 0 && before.every(({ path, bytes }) => bytes.equals(readFileSync(path))))
    return 'it changes nothing';
  return () => {
    if (changed.length === 0) {
      const reversed = apply('-R');
      if (reversed.status !== 0) throw new Error(`${patch} cannot be taken back: ${reversed.stderr.trim()}`);
    }
    for (const { path, bytes } of before) writeFileSync(path, bytes);
  };
}

export function removeCopy(copy: string): void {
  rmSync(copy, { recursive: true, force: true });
}
