import { connect } from 'node:net';
import { RawAnswers } from './raw-answers.ts';
import { rawRequest, type Target } from './raw-request.ts';

/** Calls one after the other on each of `sockets` connections for `ms`; gives how many were answered 200. */
export async function jsonLoad(
  target: Target,
  {
    bodies,
    sockets,
    ms,
  }: { readonly bodies: readonly string[]; readonly sockets: number; readonly ms: number },
): Promise<{ answered: number; ms: number }> {
  const requests = bodies.map((body) => rawRequest(target, body, false));
  const start = performance.now();
  const until = start + ms;
  let answered = 0;
  let sent = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(target.port, '127.0.0.1').setNoDelay(true);
      const send = (): void => {
        sent += 1;
        socket.write(requests[sent % requests.length] ?? '');
      };
      const answers = new RawAnswers((status) => {
        if (status !== 200) reject(new Error(`expected 200, found ${status}`));
        answered += 1;
        if (performance.now() < until) send();
        else socket.end();
      });
      socket.on('data', (bytes) => answers.read(bytes));
      socket
        .on('connect', send)
        .on('error', reject)
        .on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: sockets }, one));
  return { answered, ms: performance.now() - start };
}
