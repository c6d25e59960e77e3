import { createHash, timingSafeEqual } from 'node:crypto';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Gateway } from '../parts/gateway.ts';
import { bearerOf } from '../requests/authenticate.ts';
import { accountControls } from './account-controls.ts';
import { clockControls } from './clock-controls.ts';
import { ControlError, notThere } from './control-error.ts';
import { faultControls } from './fault-controls.ts';
import { journalControls } from './journal-controls.ts';
import { keyControls } from './key-controls.ts';
import { latencyControls } from './latency-controls.ts';
import { priceControls } from './price-controls.ts';
import { taskControls } from './task-controls.ts';

const CONTROLS = [
  faultControls,
  journalControls,
  clockControls,
  accountControls,
  keyControls,
  taskControls,
  latencyControls,
  priceControls,
];
const METHODS: readonly HTTPMethods[] = ['GET', 'PUT', 'POST'];

/** The test side of the gateway, on a port and with a token of its own: nothing here is part of the service. */
export function buildControlApp(gateway: Gateway, token: string): FastifyInstance {
  const answer = (error: unknown, reply: FastifyReply): void => {
    const { status, code, message } = refusalOf(error);
    reply.code(status).type('application/json').send({ error: message, code });
  };
  const app = fastify({
    forceCloseConnections: true,
    frameworkErrors: (error, _request, reply) => answer(error, reply),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request) => {
    if (!sameText(bearerOf(request.headers) ?? '', token))
      throw new ControlError(401, 'unauthorized', 'the control token is wrong');
    if (request.is404) throw unknownCall(app, request);
  });
  app.setErrorHandler((error, _request, reply) => answer(error, reply));
  app.get('/health', async () => ({ ok: true }));
  for (const controls of CONTROLS) controls(app, gateway);
  return app;
}

function refusalOf(error: unknown): Pick<ControlError, 'status' | 'code' | 'message'> {
  if (error instanceof ControlError) return error;
  if (error instanceof WeighbridgeError) return { status: 400, code: error.code, message: error.message };
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const message = error instanceof Error ? error.message : 'unknown';
  return status >= 400 && status < 500
    ? { status, code: 'invalid_request', message }
    : { status: 500, code: 'internal', message };
}

/** 405 where the path is known under another method. */
function unknownCall(app: FastifyInstance, { method, url }: FastifyRequest): ControlError {
  const path = url.split('?', 1)[0] ?? '';
  const known = METHODS.filter((candidate) => app.findRoute({ method: candidate, url: path }) !== null);
  if (known.length === 0) return notThere(`no control ${method} ${path}`);
  return new ControlError(405, 'method_not_allowed', `${path} takes ${known.join(' or ')}, not ${method}`);
}

function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
