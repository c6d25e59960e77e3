import {
  createServer as createHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { SecretValues } from '../../client/secrets/secret-values.ts';
import type { ProbeListen } from '../../contracts/probe-plan.ts';
import { plain } from './answer.ts';
import { type Answering, answerRequest } from './answer-request.ts';
import { drainBody } from './drain-body.ts';
import { serverRoutes } from './routes.ts';
import { sendAnswer } from './send-answer.ts';
import type { ServedDaemon } from './served-daemon.ts';
import { ServerAccess } from './server-access.ts';
import { listenFault } from './server-faults.ts';
import { SERVER_LIMITS } from './server-limits.ts';
import { TlsIdentity } from './tls-identity.ts';

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
