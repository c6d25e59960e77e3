import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../run-weighbridge.ts';

/** `node_modules` may be a link into another copy of the tree: set-up put the tool beside the folder itself. */
const NAMED_IN = join(
  dirname(realpathSync(join(ROOT, 'node_modules'))),
  '.cache/kubernetes-validate/current',
);

/** The oldest and the newest Kubernetes that the manifests are held to. */
export const KUBERNETES = ['1.31', '1.37'] as const;

/** What the schemas of Kubernetes say of each file: a member that they do not know is an error. */
export function validated(files: readonly string[]): { readonly passed: number; readonly faults: string } {
  const command = readFileSync(NAMED_IN, 'utf8').trim();
  const versions = KUBERNETES.flatMap((version) => ['-k', version]);
  const done = spawnSync(command, ['--strict', ...versions, ...files], { encoding: 'utf8' });
  const lines = `${done.stdout}${done.stderr}`.trimEnd().split('\n');
  const passed = lines.filter((line) => line.startsWith('INFO ') && line.includes(' passed for resource '));
  return { passed: passed.length, faults: lines.filter((line) => !passed.includes(line)).join('\n') };
}
