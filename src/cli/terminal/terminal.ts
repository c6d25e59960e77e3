import type { Notices } from '../../app/notices/notices.ts';
import { PROGRESS_SCHEMA } from '../../app/notices/progress.ts';
import { formatInstant } from '../../core/time.ts';

/** Where a command prints: results to `out`, all else to `err`. The only printing in the project. */
export interface Terminal extends Notices {
  out(line: string): void;
}

/** `--json-progress`: every line of stderr is one JSON object, what is said in words among them. stdout stays as it is. */
export function jsonTerminal(host: Terminal, now: () => number = Date.now): Terminal {
  return {
    ...host,
    out: (line) => host.out(line),
    err: (text) =>
      host.err(JSON.stringify({ schema: PROGRESS_SCHEMA, event: 'note', at: formatInstant(now()), text })),
    shows: 'states',
    show: (progress) => {
      if (progress !== null) host.err(JSON.stringify(progress));
    },
  };
}
