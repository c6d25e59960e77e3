import { createHash, timingSafeEqual } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { WeighbridgeError } from '../../core/failure.ts';
import { readFaultPlan } from '../faults/read-fault-plan.ts';
import type { Gateway } from '../gateway.ts';
import { bearerOf } from '../server/authenticate.ts';

const usd = z
  .string()
  .refine((text) => parseAmount(text) !== null, { error: 'must be USD as decimal text' })
  .transform((text) => parseAmount(text) ?? 0n);

const newAccount = z.strictObject({ balance_usd: usd, blocked: z.boolean().default(false) });

const newKey = z.strictObject({
  user_id: z.int(),
  blocked: z.boolean().default(false),
  models: z.array(z.string().min(1)).nullable().default(null),
  limit_usd: usd.nullable().default(null),
  spent_usd: usd.default(0n),
  rate: z
    .strictObject({ requests: z.int().min(1), per_ms: z.int().min(1), concurrent: z.int().min(1) })
    .nullable()
    .default(null),
  site: z.union([z.literal(1), z.literal(2)]).default(1),
});

const taskFailure = z.strictObject({
  code: z.string().min(1).default('task_failed'),
  message: z.string().min(1).default('The task has failed'),
});

/** The test side of the gateway, on a port and with a token of its own: nothing here is part of the service. */
export function buildControlApp(gateway: Gateway, token: string): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (!sameText(bearerOf(headers) ?? '', token))
      return reply.code(401).send({ error: 'the control token is wrong' });
    return undefined;
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof WeighbridgeError)
      return reply.code(400).send({ error: error.message, code: error.code });
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      return reply
        .code(400)
        .send({ error: error instanceof z.ZodError ? z.prettifyError(error) : error.message });
    }
    return reply.code(500).send({ error: error instanceof Error ? error.message : 'unknown' });
  });

  app.get('/health', async () => ({ ok: true }));
  app.get('/journal', async () => ({ lines: gateway.journal.lines() }));

  app.put('/faults', async ({ body }) => {
    const plan = readFaultPlan({ text: String(body ?? ''), file: 'faults' });
    gateway.faults.use(plan);
    return { faults: plan.faults.length };
  });

  app.post('/accounts', async ({ body }) => {
    const { balance_usd, blocked } = newAccount.parse(parseJson(body));
    const account = gateway.registry.addAccount({ balance: balance_usd, blocked });
    return { user_id: account.id, access_token: account.accessToken };
  });

  app.post('/keys', async ({ body }, reply) => {
    const { user_id, blocked, models, limit_usd, spent_usd, rate, site } = newKey.parse(parseJson(body));
    const account = gateway.registry.account(user_id);
    if (account === null) return reply.code(404).send({ error: `no account ${user_id}` });
    const made = gateway.registry.addKey({
      account,
      blocked,
      models,
      limit: limit_usd,
      spent: spent_usd,
      rate,
      site,
    });
    return { api_key: made.text, key_fp: made.key.fingerprint };
  });

  app.get<{ Params: { user_id: string } }>('/accounts/:user_id', async ({ params }, reply) => {
    const account = gateway.registry.account(Number(params.user_id));
    if (account === null) return reply.code(404).send({ error: `no account ${params.user_id}` });
    const { balance, reserved, used, requests } = account;
    return {
      balance_usd: formatAmount(balance),
      reserved_usd: formatAmount(reserved),
      used_usd: formatAmount(used),
      requests,
    };
  });

  app.post<{ Params: { id: string } }>('/tasks/:id/fail', async ({ params, body }, reply) => {
    const error = taskFailure.parse(parseJson(body));
    const failed = gateway.imageJobs.fail(params.id, error) || gateway.videoTasks.fail(params.id, error);
    return failed ? { ok: true } : reply.code(404).send({ error: `no running task ${params.id}` });
  });

  return app;
}

function parseJson(body: unknown): unknown {
  const text = String(body ?? '');
  return text === '' ? {} : JSON.parse(text);
}

function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
