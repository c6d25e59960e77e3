import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { k6Step } from '../../../bin/setup/k6.mjs';
import { locateK6 } from '../../drive/locate-k6.ts';
import { isPortFree } from '../../gateway/server/port-free.ts';
import { blocking, type Examination, ok, type Seen, warning } from './examination.ts';

/** Two files a call at most (its connection and its part of the ledger), and what the process itself holds. */
const OWN_FILES = 256;
const FILES_PER_CALL = 2;

/** `mostInFlight`: of the configuration; null where there is none that can be read. */
export function examineOpenFiles(mostInFlight: () => number | null): Examination {
  return {
    name: 'open files',
    mend: null,
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
    mend: null,
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
  return { name: 'Node', look: () => ok(version), mend: null };
}

/** `ready`: a k6 is there, so that Go is needed by nothing. */
export function examineGo(env: Env, k6IsThere: () => boolean): Examination {
  return { name: 'Go', look: () => goSeen(goVersion(env), k6IsThere()), mend: null };
}

/** `version` as `go version` tells it; null where there is none. */
export function goSeen(version: string | null, k6IsThere: boolean): Seen {
  const [, major = '0', minor = '0'] = /go(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  const [leastMajor, leastMinor] = LEAST_GO;
  const enough = Number(major) > leastMajor || (Number(major) === leastMajor && Number(minor) >= leastMinor);
  if (version !== null && enough) return ok(version);
  const found = version ?? 'none on the PATH';
  if (k6IsThere) return ok(`${found}; k6 is built, so that it is not needed`);
  return warning(
    `${found}: audit and run need it once, to build k6; all else works without`,
    `${GET_GO}, or set WEIGHBRIDGE_K6 to a ready binary`,
  );
}

function goVersion(env: Env): string | null {
  const said = spawnSync('go', ['version'], { encoding: 'utf8', env: { ...env }, timeout: 10_000 });
  return said.status === 0 ? said.stdout.trim().replace(/^go version /, '') : null;
}

/** `root`: the folder of package.json. */
export function examineK6(root: string, env: Env): Examination {
  const step = k6Step(root, env);
  return {
    name: 'k6',
    look: () => k6Seen(root, env, step.isReady()),
    mend: isGiven(env)
      ? null
      : async () => {
          await step.check?.();
          await step.run();
        },
  };
}

/** True where some k6 of ours can be run. */
export function hasK6(root: string, env: Env): boolean {
  return isGiven(env) || existsSync(builtK6(root));
}

function k6Seen(root: string, env: Env, isBuiltFromThese: boolean): Seen {
  const fix = isGiven(env)
    ? 'set WEIGHBRIDGE_K6 to a k6 that set-up built, or unset it'
    : 'weighbridge doctor --fix';
  if (isGiven(env) && !existsSync(env['WEIGHBRIDGE_K6'] ?? ''))
    return blocking('WEIGHBRIDGE_K6 names no file', fix);
  if (!hasK6(root, env))
    return blocking('not built yet: audit and run need it', `${fix} (needs Go 1.25 or newer)`);
  const path = locateK6(env, root);
  const said = spawnSync(path, ['version'], { encoding: 'utf8', timeout: 10_000 });
  if (said.status !== 0) return blocking(`${path} does not run`, fix);
  if (!said.stdout.includes('k6/x/weighbridge'))
    return blocking(`${path} is a k6 without our extension`, fix);
  if (!isBuiltFromThese) return blocking('built from other sources than stand here', fix);
  return ok(
    `${said.stdout.split(' (')[0] ?? ''} with our extension${isGiven(env) ? ', named by WEIGHBRIDGE_K6' : ''}`,
  );
}

function isGiven(env: Env): boolean {
  return (env['WEIGHBRIDGE_K6'] ?? '') !== '';
}

function builtK6(root: string): string {
  const pointer = join(root, '.cache/k6/current');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : pointer;
}
