import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTATIONS, type Mutant } from './mutant.ts';
import { vitestTarget } from './vitest-target.ts';

/** Says what is wrong with mutants before any is run: a place that is not there once, an area or a test that is another. */
export function faultsOfMutants(root: string, mutants: readonly Mutant[]): string[] {
  const texts = new Map<string, string>();
  const textOf = (file: string): string => {
    const known = texts.get(file);
    if (known !== undefined) return known;
    const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
    texts.set(file, text);
    return text;
  };
  const seen = new Set<string>();
  return mutants.flatMap((mutant) => {
    const { change, name } = mutant;
    const faults: string[] = [];
    if ('path' in change) {
      const applied = spawnSync('git', ['apply', '--check', change.path], { cwd: root, encoding: 'utf8' });
      if (applied.status !== 0) faults.push(`the patch does not apply: ${applied.stderr.trim()}`);
    } else {
      const times = textOf(change.file).split(change.find).length - 1;
      if (times !== 1) faults.push(`${change.file} holds what it replaces ${times} times`);
      if (change.find === change.replace) faults.push('it changes nothing');
      const area = areaOf(change.file);
      if (area !== change.area) faults.push(`it belongs in ${MUTATIONS}/${area}.yaml`);
      const place = JSON.stringify([change.file, change.find, change.replace]);
      if (seen.has(place)) faults.push('another one makes the same change');
      seen.add(place);
    }
    const test = mutant.runner === 'go' ? join('xk6', mutant.args[0] ?? '') : vitestTarget(mutant)?.file;
    if (test !== undefined && !existsSync(join(root, test))) faults.push(`there is no ${test}`);
    return faults.map((fault) => `${name}: ${fault}`);
  });
}

/** Names the file of mutants that a path of the tree belongs in: a folder of src, else the first folder. */
export function areaOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'src' ? second : first;
}
