import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { formatAmount } from '../../core/amount.ts';
import type { Account } from '../account/account.ts';
import { RECEIPT_PATTERN } from '../account/account-registry.ts';
import { KEY_GROUPS } from '../hooks/worn.ts';
import type { Gateway } from '../parts/gateway.ts';
import { controlBody, controlQuery, someUsd, usdField } from './control-body.ts';
import { ControlError, notThere } from './control-error.ts';

const newAccount = z.strictObject({ balance_usd: usdField, blocked: z.boolean().default(false) });

const credit = z.strictObject({
  amount_usd: someUsd,
  receipt: z
    .string()
    .regex(RECEIPT_PATTERN, { error: 'must be a receipt such as rcpt_0001 of at most 64 characters' })
    .nullable()
    .default(null),
});

const nothing = z.strictObject({});

interface AccountPath {
  Params: { user_id: string };
}

/** Accounts as their owner and the operator of the service would change them. */
export function accountControls(app: FastifyInstance, { registry }: Gateway): void {
  const accountOf = (userId: string): Account => {
    const account = /^\d{1,15}$/.test(userId) ? registry.account(Number(userId)) : null;
    if (account === null) throw notThere(`no account ${userId}`);
    return account;
  };

  app.post('/accounts', async ({ body }) => {
    const { balance_usd, blocked } = controlBody(newAccount, body);
    const { account, accessToken } = registry.addAccount({ balance: balance_usd, blocked });
    return { user_id: account.id, access_token: accessToken };
  });

  app.get<AccountPath>('/accounts/:user_id', async ({ params }) => {
    const { balance, reserved, used, requests, blocked } = accountOf(params.user_id);
    return {
      balance_usd: formatAmount(balance),
      reserved_usd: formatAmount(reserved),
      used_usd: formatAmount(used),
      requests,
      blocked,
    };
  });

  app.post<AccountPath>('/accounts/:user_id/access-token', async ({ params, body }) => {
    controlBody(nothing, body);
    return { access_token: registry.regenerateToken(accountOf(params.user_id)) };
  });

  app.post<AccountPath>('/accounts/:user_id/credit', async ({ params, body }) => {
    const { amount_usd, receipt } = controlBody(credit, body);
    const account = accountOf(params.user_id);
    if (receipt !== null && account.credits.has(receipt))
      throw new ControlError(
        409,
        'receipt_known',
        `account ${account.id} has the receipt ${receipt} already`,
      );
    registry.addCredit(account, amount_usd, receipt);
    return { balance_usd: formatAmount(account.balance) };
  });

  const setBlocked =
    (blocked: boolean) =>
    async ({ params, body }: FastifyRequest<AccountPath>) => {
      controlBody(nothing, body);
      registry.blockAccount(accountOf(params.user_id), blocked);
      return { blocked };
    };
  app.post('/accounts/:user_id/block', setBlocked(true));
  app.post('/accounts/:user_id/unblock', setBlocked(false));
}

const since = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a number of lines' })
    .transform(Number)
    .default(0),
});

const reset = z.strictObject({
  /** Lines in memory; the file keeps its own. */
  journal: z.boolean().default(true),
  /** Ordinals by which faults are chosen; the plan stays. */
  fault_counts: z.boolean().default(true),
  /** Prompts that count as read from the cache. */
  prompt_cache: z.boolean().default(true),
  /** What `GET /lateness` has counted. */
  lateness: z.boolean().default(true),
  /** Tasks that run: they fail, which gives back what they held. */
  tasks: z.boolean().default(false),
});

const TASK_RESET = { code: 'task_failed', message: 'The task was ended by a reset' };

/** What a test looks at, and how it starts the next case from a known place. */
export function journalControls(app: FastifyInstance, gateway: Gateway): void {
  const { journal, faults, promptCache, lateness, imageJobs, videoTasks, lateSettlements } = gateway;

  app.get('/journal', async ({ query }) => journal.since(controlQuery(since, query).after));

  app.post('/reset', async ({ body }) => {
    const wanted = controlBody(reset, body);
    const tasks = wanted.tasks ? imageJobs.failAll(TASK_RESET) + videoTasks.failAll(TASK_RESET) : 0;
    // Their lines would stand in the journal of the next case.
    if (wanted.journal) lateSettlements.settleAll();
    if (wanted.fault_counts) faults.use(faults.plan);
    if (wanted.prompt_cache) promptCache.clear();
    if (wanted.lateness) lateness.reset();
    return { journal: wanted.journal ? journal.forget() : 0, tasks };
  });
}

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
  group: z.enum(KEY_GROUPS).default('default'),
});

function grouped(group: string): { readonly group?: string } {
  return group === 'default' ? {} : { group };
}

interface KeyPath {
  Params: { key_fp: string };
}

/** API keys as their owner and the operator of the service would change them. */
export function keyControls(app: FastifyInstance, { registry }: Gateway): void {
  app.post('/keys', async ({ body }) => {
    const { user_id, blocked, models, limit_usd, spent_usd, rate, site, group } = controlBody(newKey, body);
    const account = registry.account(user_id);
    if (account === null) throw notThere(`no account ${user_id}`);
    const wanted = {
      account,
      blocked,
      models,
      limit: limit_usd,
      spent: spent_usd,
      rate,
      site,
      ...grouped(group),
    };
    const made = registry.addKey(wanted);
    return { api_key: made.text, key_fp: made.key.fingerprint };
  });

  const setBlocked =
    (blocked: boolean) =>
    async ({ params, body }: FastifyRequest<KeyPath>) => {
      controlBody(nothing, body);
      const key = registry.keyOfFingerprint(params.key_fp);
      if (key === null) throw notThere(`no key ${params.key_fp}`);
      registry.blockKey(key, blocked);
      return { blocked };
    };
  app.post('/keys/:key_fp/block', setBlocked(true));
  app.post('/keys/:key_fp/unblock', setBlocked(false));
}
