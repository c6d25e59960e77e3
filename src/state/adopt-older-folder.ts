import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../files/replace-file.ts';
import { isAlive, lockHeldBy, readOwner } from './lock-owner.ts';
import { stateFailure } from './state-failure.ts';

/** What a folder of a target held before it had one name. */
const PARTS = ['archive', 'probe', 'suspense.ndjson'];

export function holdsOlderState(older: string): boolean {
  return PARTS.some((part) => existsSync(join(older, part)));
}

export function hasProbeBudget(dir: string, file: string): boolean {
  return existsSync(join(dir, 'probe', file)) && !existsSync(join(dir, file));
}

/** Moves what an earlier version kept of a target into its folder. What stands in both stays in the older one, and is told. */
export function adoptOlderFolder(older: string, dir: string, say: (line: string) => void): void {
  const parts = PARTS.filter((part) => existsSync(join(older, part)));
  if (parts.length === 0) return;
  refuseInUse(older);
  const left = parts.filter((part) => !moved(join(older, part), join(dir, part)));
  if (readdirSync(older).length === 0) rmdirSync(older);
  if (left.length < parts.length)
    say(`state: moved ${older} to ${dir}, where the target is found by its address`);
  if (left.length > 0)
    say(`state: left ${left.join(', ')} in ${older}, for ${dir} has its own; it is not read any more`);
}

/** A daemon of an earlier version had a budget of its own; its lines are the same. */
export function adoptProbeBudget(dir: string, file: string, say: (line: string) => void): void {
  const [from, to] = [join(dir, 'probe', file), join(dir, file)];
  if (!hasProbeBudget(dir, file)) return;
  refuseInUse(dir);
  const text = readFileSync(from, 'utf8');
  const renamed = text.replace('weighbridge.probe-budget/1', 'weighbridge.budget/1');
  replaceFile(to, renamed, { mode: 0o600, flush: true });
  rmSync(from);
  say(`state: ${to} is now the budget of all that is paid at this target, with what the daemon had spent`);
}

function moved(from: string, to: string): boolean {
  if (existsSync(to)) return to.endsWith('archive') && mergedArchive(from, to);
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
  return true;
}

/** Files stand under their hash, and the index is lines that may come in any order. */
function mergedArchive(from: string, to: string): boolean {
  for (const name of readdirSync(from)) {
    const [source, goal] = [join(from, name), join(to, name)];
    if (!statSync(source).isDirectory()) continue;
    mkdirSync(goal, { recursive: true });
    for (const file of readdirSync(source))
      if (!existsSync(join(goal, file))) renameSync(join(source, file), join(goal, file));
  }
  const index = join(from, 'index.ndjson');
  // Ended on both sides: a line torn by a crash is passed over by its reader.
  if (existsSync(index)) appendFileSync(join(to, 'index.ndjson'), `\n${readFileSync(index, 'utf8')}\n`);
  rmSync(from, { recursive: true });
  return true;
}

function refuseInUse(older: string): void {
  const probe = join(older, 'probe');
  const locks = existsSync(probe) ? readdirSync(probe).filter((name) => name.endsWith('.lock')) : [];
  for (const name of locks) {
    const owner = readOwner(join(probe, name));
    if (owner === null || !isAlive(owner)) continue;
    throw stateFailure(
      'state_in_use',
      `expected to move ${older}, found ${lockHeldBy(owner, Date.now())}`,
      'stop that daemon and start it again with this version, then ask again',
    );
  }
}
