/**
 * node:http and nothing else, sending what the gateway sent: `node bare.ts <recording>`. It reads each body to its end
 * and looks at nothing in it, and it writes each event by a timer of its own at an absolute due time.
 */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LatenessLog } from '../../../src/gateway/latency/lateness-log.ts';
import { recordingSchema } from '../recording.ts';
import { serveParent } from './served-parent.ts';

const recording = recordingSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const lateness = new LatenessLog();
let served = 0;

function next<T>(all: readonly T[]): T {
  served += 1;
  const one = all[served % all.length];
  if (one === undefined) throw new RangeError('the recording is empty');
  return one;
}

function play(response: ServerResponse): void {
  const { headers, events } = next(recording.streams);
  const start = performance.now();
  let at = 0;
  const write = (): void => {
    const event = events[at];
    if (event === undefined) return;
    lateness.record(performance.now() - start - event.at_ms);
    at += 1;
    const following = events[at];
    if (following === undefined) {
      response.end(event.text);
      return;
    }
    response.write(event.text);
    timer = setTimeout(write, Math.max(0, start + following.at_ms - performance.now()));
  };
  let timer = setTimeout(write, events[0]?.at_ms ?? 0);
  response.on('close', () => clearTimeout(timer));
  response.writeHead(200, headers);
  response.flushHeaders();
}

const server = createServer((request, response) => {
  let read = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    read += text;
  });
  request.on('end', () => {
    if (read === '') throw new Error('a request without a body');
    if (request.headers['x-bench'] === 'stream') {
      play(response);
      return;
    }
    const { headers, body } = next(recording.answers);
    response.writeHead(200, headers);
    response.end(body);
  });
});
server.keepAliveTimeout = 75_000;
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  serveParent({ base_url: `http://127.0.0.1:${portOf(server.address())}`, api_key: 'none' }, lateness);
});

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
