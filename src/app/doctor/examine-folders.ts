import { accessSync, constants, existsSync, mkdirSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isAlive, lockHeldBy, readOwner } from '../../state/lock-owner.ts';
import { blocking, type Examination, ok, type Seen, warning } from './examination.ts';

/** A long run under load writes about so much. */
const ENOUGH_BYTES = 2 ** 30;
const LEAST_BYTES = 100 * 2 ** 20;

/** A folder that commands write to and make themselves where it is missing. */
export function examineFolder(name: string, flag: string, folder: string): Examination {
  return {
    name,
    look: () => folderSeen(resolve(folder), flag),
    mend: () => {
      mkdirSync(folder, { recursive: true });
    },
  };
}

function folderSeen(folder: string, flag: string): Seen {
  const there = existsSync(folder);
  const asked = there ? folder : nearestFolder(folder);
  const fix = `give ${flag} a folder that can be written, or mend the rights of ${asked}`;
  if (!statSync(asked).isDirectory()) return blocking(`${asked} is no folder`, fix);
  try {
    accessSync(asked, constants.W_OK | constants.X_OK);
  } catch {
    return blocking(`${asked} cannot be written`, fix);
  }
  if (there) return ok(`${folder} can be written`);
  return warning(`${folder} is not there: the first command makes it`, 'weighbridge doctor --fix');
}

/** Who keeps runs and audits off which target. Locks of dead processes are taken over by the next command. */
export function examineLocks(state: string): Examination {
  return {
    name: 'locks',
    mend: null,
    look: () => {
      const held = targetsOf(state).flatMap((target) => {
        const path = join(state, target, 'lock');
        const owner = readOwner(path);
        return owner !== null && isAlive(owner) ? [{ path, owner }] : [];
      });
      const [first] = held;
      if (first === undefined) return ok('no target is held');
      return warning(
        held.map(({ path, owner }) => `${path}: ${lockHeldBy(owner, Date.now())}`).join('; '),
        `wait until it has ended; where that was on another host and crashed, remove ${first.path}`,
      );
    },
  };
}

/** Names of the folders in the state; whether it is a folder at all is told elsewhere. */
function targetsOf(state: string): readonly string[] {
  return existsSync(state) && statSync(state).isDirectory() ? readdirSync(state) : [];
}

export function examineDisk(folder: string): Examination {
  return {
    name: 'disk',
    mend: null,
    look: () => {
      const { bavail, bsize } = statfsSync(nearestFolder(resolve(folder)));
      return diskSeen(bavail * bsize);
    },
  };
}

export function diskSeen(bytes: number): Seen {
  const found = `${(bytes / 2 ** 30).toFixed(1)} GiB free`;
  if (bytes >= ENOUGH_BYTES) return ok(found);
  const fix = 'make room, or give --out another disk: a ledger that cannot be written ends a run';
  return { state: bytes < LEAST_BYTES ? 'problem' : 'warning', found, fix };
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
