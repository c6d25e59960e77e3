import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';

/** Whether processes can be held to one core each. */
const PINNED = spawnSync('taskset', ['--version']).status === 0;

/** The server under test, or the mock, has a core of its own, and so has the client. */
export const SERVER_CORE = 0;
export const CLIENT_CORE = 1;

/** The command that runs `command` on one core, where that can be had. */
export function onCore(core: number, command: readonly string[]): string[] {
  return [...(PINNED ? ['taskset', '-c', String(core)] : []), ...command];
}

/** What a reader must know of the machine before any figure. */
export function machineLine(): string {
  return (
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(1)}; ` +
    (PINNED
      ? `server on core ${SERVER_CORE}, client on core ${CLIENT_CORE}`
      : 'no taskset: server and client share all cores')
  );
}
