import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Gateway } from '../parts/gateway.ts';
import { controlBody, usdField } from './control-body.ts';
import { notThere } from './control-error.ts';

const newKey = z.strictObject({
  user_id: z.int(),
  blocked: z.boolean().default(false),
  models: z.array(z.string().min(1)).nullable().default(null),
  limit_usd: usdField.nullable().default(null),
  spent_usd: usdField.default(0n),
  rate: z
    .strictObject({ requests: z.int().min(1), per_ms: z.int().min(1), concurrent: z.int().min(1) })
    .nullable()
    .default(null),
  site: z.union([z.literal(1), z.literal(2)]).default(1),
});

const nothing = z.strictObject({});

interface KeyPath {
  Params: { key_fp: string };
}

/** API keys as their owner and the operator of the service would change them. */
export function keyControls(app: FastifyInstance, { registry }: Gateway): void {
  app.post('/keys', async ({ body }) => {
    const { user_id, blocked, models, limit_usd, spent_usd, rate, site } = controlBody(newKey, body);
    const account = registry.account(user_id);
    if (account === null) throw notThere(`no account ${user_id}`);
    const wanted = { account, blocked, models, limit: limit_usd, spent: spent_usd, rate, site };
    const made = registry.addKey(wanted);
    return { api_key: made.text, key_fp: made.key.fingerprint };
  });

  const setBlocked = (fingerprint: string, body: unknown, blocked: boolean): object => {
    controlBody(nothing, body);
    const key = registry.keyOfFingerprint(fingerprint);
    if (key === null) throw notThere(`no key ${fingerprint}`);
    registry.blockKey(key, blocked);
    return { blocked };
  };
  app.post<KeyPath>('/keys/:key_fp/block', async ({ params, body }) => setBlocked(params.key_fp, body, true));
  app.post<KeyPath>('/keys/:key_fp/unblock', async ({ params, body }) =>
    setBlocked(params.key_fp, body, false),
  );
}
