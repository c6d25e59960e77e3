import { spawnSync } from 'node:child_process';
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
