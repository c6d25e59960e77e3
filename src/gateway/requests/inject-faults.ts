import { Buffer } from 'node:buffer';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { isTextKind } from '../../core/call-kind.ts';
import { readFaultHeader } from '../faults/read-fault-header.ts';
import type { AfterAnswer, Disconnect, WrongAnswer } from '../hooks/answer-hooks.ts';
import type { FaultSubject } from '../hooks/fault-definition.ts';
import { RequestFaults } from '../hooks/request-faults.ts';
import { ENDPOINTS, type Endpoint, KIND_OF, PAID_ENDPOINTS } from '../http/endpoints.ts';
import { formBody } from '../http/form-body.ts';
import type { Gateway } from '../parts/gateway.ts';
import { answerInDialect } from './answer-in-dialect.ts';
import { isJsonObject } from './json-answer.ts';
import { rememberFaults, requestFaults } from './request-faults-of.ts';
import { keyIfAny } from './request-key.ts';

/** Faults that a request asks for itself; they stand in the place of the plan. */
export const FAULT_HEADER = 'x-weighbridge-fault';

/** Chooses the faults of each request once its key and body are known, and lets them act on whole answers. */
export function injectFaults(app: FastifyInstance, { faults, faultHeader, dialect }: Gateway): void {
  const connections = new ConnectionFaults(app);
  app.addHook('onRequest', (request, reply, done) => {
    if (connections.lost(request)) reply.hijack();
    else done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    const asked = faultHeader ? request.headers[FAULT_HEADER] : undefined;
    // Without a plan the request goes on as if there were no faults at all.
    if (asked === undefined && faults.plan.faults.length === 0) done();
    else choose(request, reply, asked).then((answered) => (answered ? undefined : done()), done);
  });
  /** Whether the request was answered. */
  const choose = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: string | string[] | undefined,
  ): Promise<boolean> => {
    const subject = await faultSubject(request, dialect?.standsFor ?? {});
    if (subject === null) return false;
    const wanted = asked === undefined ? null : readFaultHeader(String(asked), subject);
    const chosen = faults.faultsFor(subject, request.id, wanted);
    if (chosen === RequestFaults.NONE) return false;
    rememberFaults(request, chosen);
    const wrong = chosen.first((hooks) => hooks.instead?.());
    if (wrong !== null) {
      answerWrong(reply, typeof wrong === 'string' ? wrong : answerInDialect(dialect, request, wrong));
      return true;
    }
    const streamed = chosen.first((hooks) => hooks.streamed?.(subject.stream));
    if (streamed !== null && streamed !== subject.stream) carryOut(request, streamed);
    return false;
  };
  app.addHook('preSerialization', async (request, reply, value) =>
    isJsonObject(value) && reply.statusCode < 400
      ? requestFaults(request).through(value, (hooks, body) => hooks.json?.(body))
      : value,
  );
  app.addHook('onSend', async (request, reply, payload) => {
    const chosen = requestFaults(request);
    if (chosen === RequestFaults.NONE || !(typeof payload === 'string' || Buffer.isBuffer(payload)))
      return payload;
    const answer = { status: reply.statusCode, headers: reply.getHeaders(), body: payload };
    const wrong = chosen.first((hooks) => hooks.replace?.(answer));
    if (wrong === null) return payload;
    if (typeof wrong !== 'string') return wrongPayload(reply, answerInDialect(dialect, request, wrong));
    disconnect(reply, wrong);
    return payload;
  });
  app.addHook('onResponse', (request, _reply, done) => {
    connections.answered(
      request.raw.socket,
      requestFaults(request).first((hooks) => hooks.after?.()),
    );
    done();
  });
}

function carryOut(request: FastifyRequest, stream: boolean): void {
  if (isJsonObject(request.body)) request.body = { ...request.body, stream };
}

/** Sends a wrong answer, or none, before any handler has run. */
function answerWrong(reply: FastifyReply, wrong: WrongAnswer | Disconnect): FastifyReply {
  if (typeof wrong !== 'string') return reply.send(wrongPayload(reply, wrong) ?? undefined);
  disconnect(reply, wrong);
  return reply.hijack();
}

/** Sets status and headers; what has to be sent as the body. */
function wrongPayload(reply: FastifyReply, wrong: WrongAnswer): string | Buffer | Readable | null {
  reply.code(wrong.status).removeHeader('content-length');
  for (const [name, value] of Object.entries(wrong.headers)) {
    if (value === null) reply.removeHeader(name);
    else reply.header(name, value);
  }
  // The framework puts the length right of all but streams.
  if (wrong.headers['content-length'] != null) return Readable.from([Buffer.from(wrong.body)]);
  return wrong.body.length === 0 ? null : wrong.body;
}

function disconnect({ raw }: FastifyReply, manner: Disconnect): void {
  if (manner === 'reset') raw.socket?.resetAndDestroy();
  else raw.socket?.destroy();
}

const named = z.looseObject({
  model: z.string().nullish().catch(null),
  stream: z.boolean().nullish().catch(null),
});
const UNNAMED = { model: null, stream: null };

/** What faults may be selected by; null for a path that is none of interface §4 and stands for none. */
async function faultSubject(request: FastifyRequest, standsFor: Aliases): Promise<FaultSubject | null> {
  const endpoint = endpointOf(request, standsFor);
  if (endpoint === null) return null;
  const paid = PAID_ENDPOINTS.find((path) => path === endpoint);
  const asked = paid === undefined ? request.query : await formBody(request);
  const { model, stream } = named.safeParse(asked).data ?? UNNAMED;
  const key = keyIfAny(request);
  const kind = paid === undefined ? null : KIND_OF[paid];
  return {
    endpoint,
    kind,
    model: model ?? null,
    keyFingerprint: key?.fingerprint ?? null,
    keyOrdinal: key?.ordinal ?? 0,
    // Only text calls stream, whatever else a body says.
    stream: kind !== null && isTextKind(kind) && stream === true,
  };
}

/** Paths that a dialect has in the place of one of the interface. */
type Aliases = Readonly<Record<string, Endpoint>>;

function endpointOf({ routeOptions }: FastifyRequest, standsFor: Aliases): Endpoint | null {
  const path = routeOptions.url?.replace(/:(\w+)/g, '{$1}') ?? '';
  const alias = standsFor[path];
  if (alias !== undefined) return alias;
  return ENDPOINTS.find((candidate) => candidate === path) ?? null;
}

interface Drop {
  readonly idle_ms: number;
  readonly race: boolean;
  fired(): void;
  readonly timer: NodeJS.Timeout;
}

const RETRY_MS = 50;
/** As many waiting connections as the first time. */
const BACKLOG = 4096;

/** Breaks connections after answers: the listener's, and those that a client keeps for its next request. */
class ConnectionFaults {
  readonly #app: FastifyInstance;
  readonly #dropped = new WeakMap<Socket, Drop>();
  #reopening: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(app: FastifyInstance) {
    this.#app = app;
    app.addHook('onClose', async () => {
      this.#closed = true;
      if (this.#reopening !== null) clearTimeout(this.#reopening);
    });
  }

  /** True where the connection of a request is lost: it is reset, and the request must not be looked at. */
  lost({ raw }: FastifyRequest): boolean {
    const drop = this.#dropped.get(raw.socket);
    if (drop === undefined) return false;
    clearTimeout(drop.timer);
    if (!drop.race) return false;
    this.#dropped.delete(raw.socket);
    drop.fired();
    raw.socket.resetAndDestroy();
    return true;
  }

  /** A connection is idle again. */
  answered(socket: Socket, after: AfterAnswer | null): void {
    if (after?.does === 'refuse') this.#refuse(after);
    const held = this.#dropped.get(socket);
    const drop = after?.does === 'drop' ? after : held;
    if (drop === undefined) return;
    if (held === undefined) socket.once('close', () => clearTimeout(this.#dropped.get(socket)?.timer));
    const timer = setTimeout(() => {
      this.#dropped.delete(socket);
      if (socket.destroyed) return;
      drop.fired();
      socket.destroy();
    }, drop.idle_ms);
    const { idle_ms, race, fired } = drop;
    this.#dropped.set(socket, { idle_ms, race, fired, timer });
  }

  #refuse({ for_ms, fired }: Extract<AfterAnswer, { does: 'refuse' }>): void {
    const { server } = this.#app;
    const address = server.address();
    // Already closed by the same fault of another request.
    if (address === null || typeof address === 'string') return;
    fired();
    server.close();
    server.closeIdleConnections();
    this.#reopen(address, for_ms);
  }

  /** On the same port; another process may hold it for a moment. */
  #reopen(address: AddressInfo, wait_ms: number): void {
    this.#reopening = setTimeout(() => {
      if (this.#closed) return;
      const { server } = this.#app;
      const again = (): void => this.#reopen(address, RETRY_MS);
      server.once('error', again);
      server.listen({ port: address.port, host: address.address, backlog: BACKLOG }, () =>
        server.off('error', again),
      );
    }, wait_ms);
  }
}
