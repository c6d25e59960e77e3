import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { z } from 'zod';
import { formatInstant, parseInstant } from '../core/time.ts';
import { jsonOf } from '../text/json-of.ts';
import { systemCodeOf } from './system-code.ts';

/** Locks of older versions say less: a number alone, or no command and no host. */
const lockOwner = z.preprocess(
  (held) => (typeof held === 'number' ? { pid: held } : held),
  z.object({
    host: z.string().default(hostname()),
    pid: z.int().min(1),
    /** When the process started: the number alone may belong to another one by now. Null where the system does not say. */
    started: z.string().nullable().default(null),
    /** Of this lock alone, so that two of one process are told apart. */
    id: z.string().default('older'),
    command: z.string().default('another command'),
    since: z.string().default('an unknown time'),
  }),
);
/** Who holds a lock, and since when. */
export type LockOwner = z.infer<typeof lockOwner>;

/** Does not change, and is asked for with each lock. */
let ownStart: string | null = null;

export function ownerNow(id: string, command: string, pid: number = process.pid): LockOwner {
  if (pid === process.pid) ownStart ??= startOf(pid);
  const started = pid === process.pid ? ownStart : startOf(pid);
  return { host: hostname(), pid, started, id, command, since: formatInstant(Date.now()) };
}

/** Null for a file that is gone or holds no lock. Throws what the system says of one that cannot be read: its owner may live. */
export function readOwner(path: string): LockOwner | null {
  const text = textOf(path);
  return text === null ? null : (lockOwner.safeParse(jsonOf(text)).data ?? null);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) return null;
    throw error;
  }
}

export function isAlive({ host, pid, started }: LockOwner): boolean {
  // Nothing can be known of another machine's processes: two that pay are worse than one that does not start.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
  // The number may belong to another process by now, in a container often to this very one.
  return started === null || started === startOf(pid);
}

/** The command of this process without its flags, as `weighbridge audit`. */
export function commandOf(argv: readonly string[] = process.argv): string {
  const [, script = '', command = ''] = argv;
  return /^[a-z][a-z0-9-]*$/.test(command) ? `weighbridge ${command}` : basename(script) || 'node';
}

/** Who holds it, since when and for how long, for the message of whoever has to wait. */
export function lockHeldBy({ command, pid, host, since }: LockOwner, now_ms: number): string {
  const began = parseInstant(since);
  const age = began === null ? '' : `, for ${ageText(Math.max(0, now_ms - began))}`;
  return `${command} (process ${pid} on ${host}) holding it since ${since}${age}`;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The two largest units: `2 h 5 min`. */
function ageText(ms: number): string {
  let left = Math.floor(ms / 1000);
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    if (left >= seconds) parts.push(`${Math.floor(left / seconds)} ${unit}`);
    left %= seconds;
  }
  return parts.length === 0 ? '0 s' : parts.slice(0, 2).join(' ');
}

/** In a form that no other process of this number has: the boot, and field 22 of its stat, counted behind its name. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [status, ticks] = [fields[0], fields[19]];
    // One that has ended and that its parent has not asked for does nothing any more.
    return ticks === undefined || status === 'Z' ? null : `${boot} ${ticks}`;
  } catch {
    return null;
  }
}
