import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import fastify from 'fastify';
import * as z from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { SECONDS_PER_DAY } from '../../core/time.ts';
import { readFaultPlan } from '../faults/read-fault-plan.ts';
import { readLatency } from '../latency/read-latency.ts';
import type { Gateway } from '../parts/gateway.ts';
import { priceChange, UnknownPrice } from '../prices/price-change.ts';
import { changePrices } from '../reads/change-prices.ts';
import { bearerOf } from '../requests/authenticate.ts';
import { unixSeconds } from '../time/clock.ts';
import { accountControls, journalControls, keyControls } from './account-controls.ts';
import { controlBody } from './control-body.ts';
import { ControlError, notThere } from './control-error.ts';

const taskFailure = z.strictObject({
  code: z.string().min(1).default('task_failed'),
  message: z.string().min(1).default('The task has failed'),
});

function taskControls(app: FastifyInstance, { imageJobs, videoTasks }: Gateway): void {
  app.post<{ Params: { id: string } }>('/tasks/:id/fail', async ({ params, body }) => {
    const error = controlBody(taskFailure, body);
    if (!imageJobs.fail(params.id, error) && !videoTasks.fail(params.id, error))
      throw notThere(`no running task ${params.id}`);
    return { ok: true };
  });
}

const MOST_DAYS = 3660;

const advance = z.strictObject({
  advance_s: z
    .int()
    .min(0)
    .max(MOST_DAYS * SECONDS_PER_DAY),
});

/** The wall clock, which only goes forward: links expire and records fall on later days; timers run on as they are. */
function clockControls(app: FastifyInstance, { clock }: Gateway): void {
  app.post('/clock', async ({ body }) => {
    clock.advance(controlBody(advance, body).advance_s * 1000);
    return { now: unixSeconds(clock.wallMs()) };
  });
}

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

/** The fault plan: read, and replaced while the gateway serves. */
function faultControls(app: FastifyInstance, { faults }: Gateway): void {
  app.get('/faults', async () => ({ faults: faults.plan.faults }));

  app.put('/faults', async ({ body }) => {
    const plan = readFaultPlan({ text: String(body ?? ''), file: 'faults' });
    faults.use(plan);
    return { faults: plan.faults.length };
  });
}

/** How fast the gateway is, and how far behind that it was itself. */
function latencyControls(app: FastifyInstance, { latency, lateness }: Gateway): void {
  app.put('/latency', async ({ body }) => {
    latency.use(readLatency({ text: String(body ?? ''), file: 'latency' }));
    return latency.model;
  });

  app.get('/lateness', async () => lateness.report());
}

/** A new version of the price book; records keep the version of their moment. */
function priceControls(app: FastifyInstance, gateway: Gateway): void {
  app.get('/prices', async () => ({ versions: gateway.prices.versions.map(({ book }) => book) }));

  app.put('/prices', async ({ body }) => {
    const change = controlBody(priceChange, body);
    try {
      const { pricebook_id, pricing_version } = changePrices(gateway, change).book;
      return { pricebook_id, pricing_version };
    } catch (error) {
      if (error instanceof UnknownPrice) throw new ControlError(404, 'not_found', error.message);
      throw error;
    }
  });
}
