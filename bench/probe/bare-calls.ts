/**
 * `node bare-calls.ts <base> <key> <calls a second> <seconds>`: the same streamed calls by a bare socket, with nothing
 * parsed but where content begins: what the machine, loopback and the gateway put on a first token by themselves.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { MODEL, PROMPT, TOKENS } from './watched-calls.ts';

export interface BareCall {
  readonly request_id: string;
  /** From the write of the request to the first content. */
  readonly ttft_ms: number;
}

const CONTENT = /"content":"[^"]/;
const REQUEST_ID = /x-request-id: (\S+)/i;

const [, , base = '', key = '', rate = '6', seconds = '10'] = process.argv;
const { hostname, port } = new URL(base);
const body = JSON.stringify({
  model: MODEL,
  messages: [{ role: 'user', content: PROMPT }],
  max_tokens: TOKENS,
  stream: true,
});
const request = [
  'POST /v1/chat/completions HTTP/1.1',
  `host: ${hostname}:${port}`,
  `authorization: Bearer ${key}`,
  'content-type: application/json',
  'connection: close',
  `content-length: ${Buffer.byteLength(body)}`,
  '',
  body,
].join('\r\n');

async function call(): Promise<BareCall> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  socket.write(request);
  const wrote = performance.now();
  let text = '';
  let first: number | null = null;
  socket.on('data', (chunk: Buffer) => {
    const at = performance.now();
    if (first !== null) return;
    text += chunk.toString('latin1');
    if (CONTENT.test(text)) first = at;
  });
  await once(socket, 'close');
  return { request_id: REQUEST_ID.exec(text)?.[1] ?? '', ttft_ms: (first ?? Number.NaN) - wrote };
}

const calls: Promise<BareCall>[] = [];
const timers_late_ms: number[] = [];
const gap_ms = 1000 / Number(rate);
const began = performance.now();
for (let n = 0; n * gap_ms < Number(seconds) * 1000; n += 1) {
  // Not in step with the gateway's own timers.
  const due = began + n * gap_ms + Math.random() * gap_ms;
  const wait = Math.ceil(due - performance.now());
  if (wait > 0) {
    const asked = performance.now();
    await delay(wait);
    timers_late_ms.push(performance.now() - asked - wait);
  }
  calls.push(call());
}
process.send?.({ calls: await Promise.all(calls), timers_late_ms });
process.on('disconnect', () => process.exit(0));
