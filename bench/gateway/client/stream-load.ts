import type { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import { RawAnswers } from './raw-answers.ts';
import { rawRequest, type Target } from './raw-request.ts';

const NEWLINE = 10;

/**
 * Starts `count` streams evenly over `over_ms`, each on a connection of its own, and leaves them after `for_ms`, or reads
 * them to their ends; gives the events that came.
 */
export async function streamLoad(
  target: Target,
  load: {
    readonly bodies: readonly string[];
    readonly count: number;
    readonly over_ms: number;
    readonly for_ms: number | null;
  },
): Promise<{ events: number; most_open: number }> {
  const requests = load.bodies.map((body) => rawRequest(target, body, true));
  let events = 0;
  let open = 0;
  let most_open = 0;
  const start = performance.now();
  const one = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const run = (): void => {
        const socket = connect(target.port, '127.0.0.1').setNoDelay(true);
        open += 1;
        most_open = Math.max(most_open, open);
        const answers = new RawAnswers((status) => {
          if (status !== 200) reject(new Error(`expected 200, found ${status}`));
          socket.end();
        });
        let before = 0;
        socket.on('data', (bytes) => {
          events += blankLines(bytes, before);
          before = bytes.at(-1) ?? 0;
          answers.read(bytes);
        });
        socket.on('connect', () => socket.write(requests[index % requests.length] ?? ''));
        if (load.for_ms !== null) setTimeout(() => socket.destroy(), load.for_ms);
        socket.on('error', reject).on('close', () => {
          open -= 1;
          resolve();
        });
      };
      setTimeout(run, Math.max(0, start + (index * load.over_ms) / load.count - performance.now()));
    });
  await Promise.all(Array.from({ length: load.count }, (_, index) => one(index)));
  return { events, most_open };
}

/** Events end with a blank line; HTTP's own lines end with CR LF and make none. */
function blankLines(bytes: Buffer, before: number): number {
  let count = 0;
  if (before === NEWLINE && bytes[0] === NEWLINE) count += 1;
  for (let at = bytes.indexOf('\n\n'); at >= 0; at = bytes.indexOf('\n\n', at + 2)) count += 1;
  return count;
}
