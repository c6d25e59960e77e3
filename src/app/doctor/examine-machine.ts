import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isPortFree } from '../../gateway/server/port-free.ts';
import { isAlive, lockHeldBy, readOwner } from '../../state/lock-owner.ts';
import { blocking, type Examination, ok, type Seen, warning } from './examination.ts';

/** Two files a call at most (its connection and its part of the ledger), and what the process itself holds. */
const OWN_FILES = 256;
const FILES_PER_CALL = 2;

/** `mostInFlight`: of the configuration; null where there is none that can be read. */
export function examineOpenFiles(mostInFlight: () => number | null): Examination {
  return {
    name: 'open files',
    look: () =>
      openFilesSeen(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout, mostInFlight() ?? 0),
  };
}

/** `said` as `ulimit -Hn` prints it: what Node and k6 raise theirs to. */
export function openFilesSeen(said: string | null, mostInFlight: number): Seen {
  const text = (said ?? '').trim();
  const needed = OWN_FILES + FILES_PER_CALL * mostInFlight;
  if (text === 'unlimited') return ok(text);
  if (!/^\d+$/.test(text)) return { state: 'not asked', found: 'this system does not tell', fix: null };
  if (Number(text) >= needed) return ok(`${text} may be open`);
  return blocking(
    `${text} may be open, and ${mostInFlight} calls in flight need ${needed}`,
    `raise the limit (ulimit -n ${needed}, LimitNOFILE= of a service), or lower max_in_flight`,
  );
}

/** Where the embedded gateway, its default port and the daemon listen. */
export function examinePorts(): Examination {
  return {
    name: 'loopback',
    look: async () => {
      if (!(await isPortFree(0)))
        return blocking(
          'nothing can listen on 127.0.0.1',
          'allow it: the embedded gateway and the daemon listen there',
        );
      const taken: string[] = [];
      for (const [port, whose] of [
        [8787, 'gateway: give it --port'],
        [9464, 'probe: give it --listen'],
      ] as const)
        if (!(await isPortFree(port))) taken.push(`${port} (${whose})`);
      if (taken.length === 0) return ok('127.0.0.1 can be listened on, 8787 and 9464 are free');
      return warning(
        `taken on 127.0.0.1: ${taken.join(', ')}`,
        'give the command another port, or end what listens there',
      );
    },
  };
}

type Env = Readonly<Record<string, string | undefined>>;

const LEAST_GO = [1, 25] as const;
const GET_GO = 'install Go 1.25 or newer from https://go.dev/dl';

/** Older ones do not come so far: `bin/weighbridge.mjs` refuses them. */
export function examineNode(version = process.versions.node): Examination {
  return { name: 'Node', look: () => ok(version) };
}

/** `ready`: a k6 is there, so that Go is needed by nothing. */
export function examineGo(env: Env, k6IsThere: () => boolean): Examination {
  return { name: 'Go', look: () => goSeen(goVersion(env), k6IsThere()) };
}

/** `version` as `go version` tells it; null where there is none. */
export function goSeen(version: string | null, k6IsThere: boolean): Seen {
  const [, major = '0', minor = '0'] = /go(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  const [leastMajor, leastMinor] = LEAST_GO;
  const enough = Number(major) > leastMajor || (Number(major) === leastMajor && Number(minor) >= leastMinor);
  if (version !== null && enough) return ok(version);
  const found = version ?? 'none on the PATH';
  if (k6IsThere) return ok(`${found}; k6 is there, so that it is not needed`);
  return warning(
    `${found}: audit and run need it once, to build k6; all else works without`,
    `${GET_GO}, install the engine package of this build, or set WEIGHBRIDGE_K6 to a ready binary`,
  );
}

function goVersion(env: Env): string | null {
  const said = spawnSync('go', ['version'], { encoding: 'utf8', env: { ...env }, timeout: 10_000 });
  return said.status === 0 ? said.stdout.trim().replace(/^go version /, '') : null;
}

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
