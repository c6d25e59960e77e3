import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { formatAmount } from '../../../core/amount.ts';
import type { ApiKey } from '../../account/account.ts';
import { keyFingerprint } from '../../account/account-registry.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Gateway } from '../../parts/gateway.ts';
import { requestFaults } from '../../requests/request-faults-of.ts';
import { readerOf } from './caller.ts';
import { mappedModel, modelMapId } from './model-map.ts';
import { keyAlias } from './row-metadata.ts';
import { spendPage, spendSummary, windowedRows } from './spend-query.ts';
import { spendRows, userOf } from './spend-rows.ts';

const CREATED = 1_677_610_602;
const MOST_ROWS = 10_000;

/** What the proxy tells for free. */
export function liteLlmReads(app: FastifyInstance, gateway: Gateway): void {
  const { prices } = gateway;
  for (const path of ['/health/liveliness', '/health/liveness'])
    app.get(path, async (_request, reply) => reply.type('application/json').send('"I\'m alive!"'));
  app.get('/health/readiness', async () => ({ status: 'healthy', db: 'connected' }));
  for (const path of ['/v1/models', '/models']) {
    app.get(path, async (request) => {
      const { own } = readerOf(gateway, request);
      const listed = prices.current.models.filter(({ id }) => own?.models?.has(id) ?? true);
      const data = listed.map(({ id }) => ({ id, object: 'model', created: CREATED, owned_by: 'openai' }));
      return { object: 'list', data };
    });
  }
  const modelInfo = async (request: FastifyRequest): Promise<object> => {
    const { own } = readerOf(gateway, request);
    const served = requestFaults(request).through(prices.current, (hooks, version) => hooks.book?.(version));
    const { litellm_model_id: wanted } = infoQuery.parse(request.query);
    const listed = served.models.filter(
      ({ id }) => (own?.models?.has(id) ?? true) && (wanted === '' || modelMapId(id) === wanted),
    );
    return { data: listed.map(mappedModel) };
  };
  for (const path of ['/model/info', '/v1/model/info']) app.get(path, modelInfo);
  app.get('/spend/logs', async (request, reply) => {
    const { keys } = readerOf(gateway, request);
    const found = windowedRows(spendRows(gateway, keys), request.query);
    if (found.summarised !== null) return spendSummary(found.rows, found.summarised);
    if (found.rows.length >= MOST_ROWS) reply.header('x-litellm-spend-logs-truncated', 'true');
    return found.rows.slice(0, MOST_ROWS);
  });
  app.get('/spend/logs/v2', async (request) => {
    const { keys } = readerOf(gateway, request);
    return spendPage(spendRows(gateway, keys), request.query);
  });
  app.get('/key/info', async (request) => {
    const { own, keys } = readerOf(gateway, request);
    const { key: wanted } = infoQuery.parse(request.query);
    const key = wanted === '' ? own : (keys.find((one) => isNamed(one, wanted)) ?? null);
    if (key === null) throw new ApiError({ status: 404, message: 'No such key' });
    return { key: wanted === '' ? key.hash : wanted, info: keyInfo(key) };
  });
}

const infoQuery = z.looseObject({
  key: z.string().catch('').default(''),
  litellm_model_id: z.string().catch('').default(''),
});

/** By its hash or its text. */
function isNamed({ hash, fingerprint }: ApiKey, wanted: string): boolean {
  return hash === wanted || (wanted.startsWith('sk-') && keyFingerprint(wanted) === fingerprint);
}

function keyInfo(key: ApiKey): object {
  return {
    key_name: null,
    key_alias: keyAlias(key),
    status: key.blocked ? 'revoked' : 'active',
    spend: Number(formatAmount(key.spent)),
    expires: null,
    models: [...(key.models ?? [])],
    aliases: {},
    config: {},
    user_id: userOf(key),
    team_id: null,
    max_parallel_requests: null,
    metadata: {},
    tpm_limit: null,
    rpm_limit: null,
    max_budget: key.limit === null ? null : Number(formatAmount(key.limit)),
    budget_duration: null,
    budget_reset_at: null,
    blocked: key.blocked,
  };
}
