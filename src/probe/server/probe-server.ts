import {
  createServer as createHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { SecretValues } from '../../client/secrets/secret-values.ts';
import type { ProbeListen } from '../../contracts/probe-plan.ts';
import { acceptsGzip } from './accepted-format.ts';
import { type Answer, plain } from './answer.ts';
import { type Answering, answerRequest, TlsIdentity } from './answer-request.ts';
import { serverRoutes } from './routes.ts';
import { CLOSED_POLICY, securityHeaders } from './security-headers.ts';
import type { ServedDaemon } from './served-daemon.ts';
import { ServerAccess } from './server-access.ts';
import { listenFault } from './server-faults.ts';

export interface ProbeServerOptions {
  readonly listen: ProbeListen;
  readonly daemon: ServedDaemon;
  readonly secrets: SecretValues;
  /** Wall clock, ms. */
  readonly now: () => number;
  /** A fault of ours while a request was answered. */
  readonly onFault: (error: unknown) => void;
  /** What became wrong with a file of the server's own while it runs. */
  readonly onProblem: (problem: string) => void;
}

export interface ProbeServer {
  /** Where it listens, with the port that was free. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, ends idle ones and waits for open answers; once `deadline` is aborted it ends these too. */
  close(deadline: AbortSignal): Promise<void>;
}

/** An address that a server is bound to, as the system tells it. */
const LOOPBACK = /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/;

/** The daemon's own endpoints. Throws WeighbridgeError for an address or a file that cannot be used. */
export async function openProbeServer(options: ProbeServerOptions): Promise<ProbeServer> {
  const { listen, daemon, secrets, now, onFault, onProblem } = options;
  const access = new ServerAccess({ auth: listen.auth, secrets, now, onProblem });
  const server = createServer(options);
  await bound(server, listen);
  const address = server.address();
  const { port, address: own } =
    typeof address === 'object' && address !== null ? address : { port: listen.port, address: listen.host };
  const ownHostOnly = listen.auth === null && LOOPBACK.test(own);
  const answering: Answering = { routes: serverRoutes(daemon, secrets), access, ownHostOnly, onFault };
  server.on('request', (request, response) => {
    // A reader who leaves while he is answered is no fault of ours.
    response.on('error', () => {});
    serve(request, response, answering).catch(onFault);
  });
  const scheme = listen.tls === null ? 'http' : 'https';
  return {
    url: `${scheme}://${hostPort(listen.host, port)}`,
    port,
    close: (deadline) => closed(server, deadline),
  };
}

function createServer({ listen, now, onProblem }: ProbeServerOptions): Server {
  const limits = {
    maxHeaderSize: SERVER_LIMITS.max_header_bytes,
    headersTimeout: SERVER_LIMITS.headers_ms,
    requestTimeout: SERVER_LIMITS.request_ms,
    keepAliveTimeout: SERVER_LIMITS.keep_alive_ms,
    connectionsCheckingInterval: SERVER_LIMITS.check_ms,
  };
  const identity = listen.tls && new TlsIdentity(listen.tls, now, onProblem);
  const tls = { minVersion: 'TLSv1.2' } as const;
  const server =
    identity === null ? createHttp(limits) : createHttps({ ...limits, ...tls, ...identity.first() });
  if (identity !== null && 'setSecureContext' in server) {
    // Before the handshake of this very connection begins.
    server.prependListener('connection', () => {
      const pair = identity.changed();
      if (pair !== null) server.setSecureContext({ ...tls, ...pair });
    });
  }
  server.maxConnections = SERVER_LIMITS.connections;
  server.setTimeout(SERVER_LIMITS.idle_ms);
  return server;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
): Promise<void> {
  if (!(await drainBody(request))) {
    response.setHeader('connection', 'close');
    await sendAnswer(request, response, plain(413, 'no path takes a body'));
    return;
  }
  await sendAnswer(request, response, await answerRequest(request, answering));
}

async function bound(server: Server, { host, port }: ProbeListen): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, backlog: 128 }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    throw listenFault(hostPort(host, port), cause);
  }
}

function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

async function closed(server: Server, deadline: AbortSignal): Promise<void> {
  const end = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const force = () => server.closeAllConnections();
  if (deadline.aborted) force();
  deadline.addEventListener('abort', force, { once: true });
  await end;
  deadline.removeEventListener('abort', force);
}

/** Passes over a body that no route reads; false where it is longer than it may be or its sender went away. */
async function drainBody(request: IncomingMessage): Promise<boolean> {
  if (Number(request.headers['content-length'] ?? 0) > SERVER_LIMITS.max_body_bytes) return false;
  let size = 0;
  try {
    // Not destroyed when we stop: the refusal goes out on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += Buffer.byteLength(chunk);
      if (size > SERVER_LIMITS.max_body_bytes) return false;
    }
    return true;
  } catch {
    return false;
  }
}

const compressed = promisify(gzip);
/** A rendering of a megabyte becomes a tenth larger than at the usual level, in less than a third of the time. */
const FAST = { level: constants.Z_BEST_SPEED };

/** Writes an answer, compressed where that is asked for; to HEAD without its body. */
async function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const text = Buffer.from(answer.body);
  const zip = text.length >= SERVER_LIMITS.gzip_from_bytes && acceptsGzip(request.headers['accept-encoding']);
  const body = zip ? await compressed(text, FAST) : text;
  // The reader may have gone meanwhile.
  if (response.destroyed || response.headersSent) return;
  response.writeHead(answer.status, {
    ...securityHeaders(CLOSED_POLICY),
    vary: 'Accept-Encoding',
    ...answer.headers,
    'content-type': answer.type,
    'content-length': body.length,
    ...(zip ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** What a connection may take. */
const SERVER_LIMITS = {
  /** Line and header fields of a request, bytes; above it, 431. */
  max_header_bytes: 16_384,
  /** No route reads a body: what comes along with a request is passed over up to here; above it, 413. */
  max_body_bytes: 65_536,
  /** From the start of a request to the end of its header fields, and to its own end. */
  headers_ms: 10_000,
  request_ms: 30_000,
  /** Without a request; above what Prometheus and proxies wait between two scrapes of a minute. */
  keep_alive_ms: 75_000,
  /** Without a byte either way, also while an answer is made: above the longest timeout of a free probe. */
  idle_ms: 330_000,
  /** How often connections are looked at: a limit may be passed by as much. */
  check_ms: 2_000,
  connections: 500,
  /** What is smaller gains nothing by compression. */
  gzip_from_bytes: 1_024,
} as const;
