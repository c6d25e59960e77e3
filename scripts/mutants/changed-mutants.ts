import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Mutant } from './mutant.ts';
import { vitestTarget } from './vitest-target.ts';

/** Lists what differs from where the branch left `base`, with what is not committed; throws where git knows no such commit. */
export function changedSince(root: string, base: string | null): string[] {
  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
    return stdout;
  };
  const known = (name: string): boolean =>
    spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: root }).status === 0;
  const from = base ?? ['origin/main', 'main'].find(known);
  if (from === undefined) throw new Error('name the commit to compare with: --changed BASE');
  const left = git('merge-base', from, 'HEAD').trim();
  const lists = [git('diff', '--name-only', left), git('ls-files', '--others', '--exclude-standard')];
  return lists.join('').split('\n').filter(Boolean);
}

/** Picks the mutants of changed files, of files that import these, and of changed tests. */
export function mutantsOf(root: string, mutants: readonly Mutant[], changed: readonly string[]): Mutant[] {
  const files = new Set(changed);
  const packages = new Set(changed.filter((file) => file.endsWith('.go')).map((file) => dirname(file)));
  const imports = new Map<string, boolean>();
  const touched = (file: string): boolean => {
    const own = files.has(file) || packages.has(dirname(file));
    if (own) return true;
    const known = imports.get(file) ?? importsOneOf(root, file, files, packages);
    imports.set(file, known);
    return known;
  };
  return mutants.filter(
    (mutant) =>
      mutant.changed.length === 0 ||
      mutant.changed.some(touched) ||
      ('path' in mutant.change && files.has(mutant.change.path)) ||
      files.has(vitestTarget(mutant)?.file ?? ''),
  );
}

function importsOneOf(
  root: string,
  file: string,
  files: ReadonlySet<string>,
  packages: ReadonlySet<string>,
): boolean {
  if (!existsSync(join(root, file))) return true;
  const text = readFileSync(join(root, file), 'utf8');
  if (file.endsWith('.go')) return [...packages].some((folder) => text.includes(`/${folder}"`));
  return [...text.matchAll(/'(\.{1,2}\/[^']+)'/g)].some(([, specifier = '']) =>
    files.has(relative(root, resolve(root, dirname(file), specifier))),
  );
}
