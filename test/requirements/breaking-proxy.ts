import { Buffer } from 'node:buffer';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** A request on its way to the gateway; its body is read whole. */
export interface ProxyRequest {
  /** Whether it is meant for the control API. */
  readonly control: boolean;
  readonly method: string;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Aborted when the client leaves before it has its answer. */
  readonly left: AbortSignal;
}

/** An answer on its way back; a body that nobody reads is passed on as it comes. */
export interface ProxyAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | IncomingMessage;
}

type Forward = (request: ProxyRequest) => Promise<ProxyAnswer>;

/** Stands between client and gateway, and may answer by itself or change both sides. */
export type Handler = (request: ProxyRequest, forward: Forward) => Promise<ProxyAnswer>;

export interface BreakingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Of one connection only, or made anew from what is sent. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/** Listens on a free port of 127.0.0.1 in front of `target`, a root address. */
export async function startBreakingProxy(
  target: string,
  handle: Handler,
  control: boolean,
): Promise<BreakingProxy> {
  const agent = new http.Agent({ keepAlive: true });
  const forward: Forward = (request) => sendOn(agent, target, request);
  const server = http.createServer((incoming, outgoing) => {
    serve(incoming, outgoing, control, (request) => handle(request, forward)).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', 1024, resolve);
  });
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  control: boolean,
  answer: (request: ProxyRequest) => Promise<ProxyAnswer>,
): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  const { pathname, search } = new URL(incoming.url ?? '/', 'http://proxy.invalid');
  const { status, headers, body } = await answer({
    control,
    method: incoming.method ?? 'GET',
    path: pathname,
    search,
    headers: singleHeaders(incoming),
    body: await bytesOf(incoming),
    left: left.signal,
  });
  if (Buffer.isBuffer(body)) {
    outgoing.writeHead(status, { ...headers, 'content-length': String(body.length) }).end(body);
    return;
  }
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  await pipeline(body, outgoing);
}

function sendOn(agent: http.Agent, target: string, request: ProxyRequest): Promise<ProxyAnswer> {
  const { method, path, search, headers, body, left } = request;
  return new Promise((resolve, reject) => {
    const length = method === 'GET' ? {} : { 'content-length': String(body.length) };
    const sent = http.request(
      target + path + search,
      { method, agent, headers: { ...headers, ...length }, signal: left },
      (answer) => resolve({ status: answer.statusCode ?? 500, headers: singleHeaders(answer), body: answer }),
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

function singleHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_HEADERS.has(name) ? [] : [[name, String(value)] as const],
    ),
  );
}

/** A body read to its end. */
export async function bytesOf(body: Buffer | IncomingMessage): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
