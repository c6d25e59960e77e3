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
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { targetFolderName } from '../contracts/target-folder-name.ts';
import { replaceFile } from '../files/replace-file.ts';
import { jsonOf } from '../text/json-of.ts';
import { FileLock } from './file-lock.ts';
import { isAlive, lockHeldBy, readOwner } from './lock-owner.ts';
import { refuseOtherVersion } from './refuse-other-version.ts';
import { stateFailure, stateUnwritable } from './state-failure.ts';

/** Says whose folder it is, and that no other target may take it for an older one of its own. */
const MARK = 'target.json';
const MARK_SCHEMA = 'weighbridge.target/1';

/** Beside the folders of the targets, since two of them may have an older one in common. */
const MOVING = 'moving.lock';
const MOST_WAIT_MS = 10_000;
const EACH_WAIT_MS = 10;

/** What may still be spent at the target, by whichever command. */
export const BUDGET_FILE = 'budget.ndjson';

/** A gateway as a command knows it. */
export interface StateTarget {
  readonly root: string;
  /** Where it is other than the address says: of a further target at the same address. */
  readonly folder?: string;
  /** As a daemon of an earlier version named its folder. */
  readonly name?: string;
}

/** `<state>/<target>`, where all stands that outlives a run, whether it is there or not. */
export function targetFolder(state: string, { root, folder }: StateTarget): string {
  return join(state, folder ?? targetFolderName(root));
}

/**
 * As `targetFolder`, and it is there: what an earlier version kept under another name is moved there, which `say` is told.
 * Throws `state_in_use` (exit 2) while a daemon of that version still writes there, `state_version` for a folder of a newer
 * one, and `state_unwritable`.
 */
export function openTargetFolder(state: string, target: StateTarget, say: (line: string) => void): string {
  const dir = targetFolder(state, target);
  const mark = join(dir, MARK);
  try {
    mkdirSync(dir, { recursive: true });
    // Whose folder it is may be told in another way there, and its files may be others.
    if (existsSync(mark)) refuseOtherVersion(mark, jsonOf(readFileSync(mark, 'utf8')), MARK_SCHEMA);
    const older = olderFolders(state, dir, target);
    if (older.length > 0 || hasProbeBudget(dir, BUDGET_FILE))
      alone(join(state, MOVING), () => {
        // By now another command may have moved them.
        for (const each of olderFolders(state, dir, target)) adoptOlderFolder(each, dir, say);
        adoptProbeBudget(dir, BUDGET_FILE, say);
      });
    if (!existsSync(mark))
      writeFileSync(mark, `${JSON.stringify({ schema: MARK_SCHEMA, root: target.root })}\n`);
    return dir;
  } catch (cause) {
    throw stateUnwritable(dir, cause);
  }
}

/** Folders that an earlier version may have kept of it, under another name. */
function olderFolders(state: string, dir: string, target: StateTarget): readonly string[] {
  return [...new Set(olderNames(target))]
    .map((name) => join(state, name))
    .filter((older) => older !== dir && holdsOlderState(older) && !existsSync(join(older, MARK)));
}

/** One command at a time moves; each takes milliseconds. */
function alone(lock: string, work: () => void): void {
  const until = performance.now() + MOST_WAIT_MS;
  for (;;) {
    const taken = FileLock.take(lock);
    if ('owner' in taken && performance.now() < until) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EACH_WAIT_MS);
      continue;
    }
    if ('owner' in taken) throw movedByAnother(lock, lockHeldBy(taken.owner, Date.now()));
    try {
      work();
    } finally {
      taken.lock.release();
    }
    return;
  }
}

function movedByAnother(lock: string, owner: string): Error {
  return stateFailure(
    'state_in_use',
    `expected to move folders of an earlier version, found ${owner}`,
    `ask again; after a crash on another host remove ${lock}`,
  );
}

/** Those of `probe` and `pull`, and of `audit` and `reconcile`, which two addresses could share. */
function olderNames({ root, folder, name }: StateTarget): string[] {
  const address = root.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '');
  const byAddress = address.replace(/[^A-Za-z0-9.-]+/g, '_').replace(/^\.+/, '_');
  // A name may hold anything.
  const byName = (name ?? '').replace(/[^0-9a-zA-Z_.-]+/g, '_').replace(/^[^0-9a-zA-Z]+/, '');
  const first = folder === undefined || folder === targetFolderName(root);
  return [byName, ...(first ? [byAddress] : [])].filter((older) => older !== '');
}

/** What a folder of a target held before it had one name. */
const PARTS = ['archive', 'probe', 'suspense.ndjson'];

function holdsOlderState(older: string): boolean {
  return PARTS.some((part) => existsSync(join(older, part)));
}

function hasProbeBudget(dir: string, file: string): boolean {
  return existsSync(join(dir, 'probe', file)) && !existsSync(join(dir, file));
}

/** Moves what an earlier version kept of a target into its folder. What stands in both stays in the older one, and is told. */
function adoptOlderFolder(older: string, dir: string, say: (line: string) => void): void {
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
function adoptProbeBudget(dir: string, file: string, say: (line: string) => void): void {
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
