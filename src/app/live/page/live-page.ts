import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ListenAddress } from '../../../config/listen-address.ts';
import { CLOSED_POLICY, pagePolicy, securityHeaders } from '../../../probe/server/security-headers.ts';
import { listenFault } from '../../../probe/server/server-faults.ts';
import type { Progress } from '../../notices/progress.ts';
import { LIVE_SCRIPT, LIVE_STYLE } from './live-assets.ts';
import { liveMain, livePage } from './live-markup.ts';
import { LoadPoints } from './load-points.ts';
import { isLoopback, isOurHost } from './page-address.ts';

/** Readers at once; each holds one connection for as long as it looks. */
const MOST_CONNECTIONS = 50;
/** A reader with more unread bytes than this at the next frame is let go; it comes back by itself. */
const MOST_UNREAD_BYTES = 1 << 20;
const PAGE_HEADERS = securityHeaders(pagePolicy(LIVE_SCRIPT, LIVE_STYLE));
const CLOSED_HEADERS = securityHeaders(CLOSED_POLICY);

export interface LivePage {
  readonly url: string;
  push(progress: Progress): void;
  /** Sends what came last, tells readers that it was the last, and ends. */
  close(): Promise<void>;
}

/** Serves what runs to browsers: reads alone, no password, and nothing that this process does not already show. */
export async function openLivePage(address: ListenAddress, say: (line: string) => void): Promise<LivePage> {
  const readers = new Set<ServerResponse>();
  const points = new LoadPoints();
  let last: Progress | null = null;
  const frame = (): string => `event: frame\ndata: ${JSON.stringify(liveMain(last, points.all))}\n\n`;

  const server = createServer((request, response) => {
    // Who leaves while he is answered is no fault of ours.
    response.on('error', () => undefined);
    const refusal = refusalOf(request, address.host);
    if (refusal !== null) return plain(response, refusal);
    if (request.url === '/') return page(response, livePage(last, points.all));
    if (request.url !== '/events') return plain(response, [404, 'unknown path; known: / /events']);
    response.writeHead(200, { ...CLOSED_HEADERS, 'content-type': 'text/event-stream' });
    response.write(frame());
    readers.add(response);
    response.on('close', () => readers.delete(response));
  });
  server.maxConnections = MOST_CONNECTIONS;
  const port = await listen(server, address);
  const url = `http://${hostPort(address.host, port)}/`;
  say(`live page: ${url}`);
  if (!isLoopback(address.host)) say('  it has no password: whoever reaches this address can read it');

  return {
    url,
    push(progress) {
      last = progress;
      points.take(progress);
      const text = readers.size === 0 ? '' : frame();
      for (const reader of readers) {
        if (reader.writableLength > MOST_UNREAD_BYTES) reader.destroy();
        else reader.write(text);
      }
    },
    async close() {
      for (const reader of readers) reader.end('event: end\ndata: {}\n\n');
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), 1_000);
      await closed;
      clearTimeout(force);
    },
  };
}

type Refusal = readonly [status: number, text: string];

function refusalOf({ method, headers }: IncomingMessage, boundTo: string): Refusal | null {
  if (!isOurHost(headers.host, boundTo)) return [403, 'refused: this is not the host that was asked for'];
  if (method !== 'GET') return [405, 'this page is only read'];
  return null;
}

function plain(response: ServerResponse, [status, text]: Refusal): void {
  const allow = status === 405 ? { allow: 'GET' } : {};
  response.writeHead(status, {
    ...CLOSED_HEADERS,
    ...allow,
    'content-type': 'text/plain; charset=utf-8',
    // A body that nobody reads must not be taken for the next request.
    connection: 'close',
  });
  response.end(`${text}\n`);
}

function page(response: ServerResponse, body: string): void {
  response.writeHead(200, { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' });
  response.end(body);
}

async function listen(server: Server, { host, port }: ListenAddress): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    throw listenFault(hostPort(host, port), cause, '--ui');
  }
  // Whether anybody reads it decides nothing: the load goes on.
  server.on('error', () => undefined);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
