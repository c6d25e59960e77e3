import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AMOUNT_SCALE, type PicoUsd } from '../../core/amount.ts';
import type { ServedAccount } from '../hooks/usage-hooks.ts';
import { CATALOGUE, modelById } from '../models/catalogue.ts';
import type { Model } from '../models/model.ts';
import type { Gateway } from '../parts/gateway.ts';
import { FIRST_EDITION } from '../pricing/price-book.ts';
import type { PriceVersion } from '../pricing/price-history.ts';
import { servedBook } from '../pricing/served-book.ts';
import { authenticateAccount, authenticateKey, bearerOf } from '../requests/authenticate.ts';
import { requestFaults } from '../requests/request-faults-of.ts';
import { keyIfAny, rememberKey } from '../requests/request-key.ts';
import { requireKey } from '../requests/require-key.ts';
import { noSuchModel } from '../requests/serving-model.ts';

export function accountRoutes(app: FastifyInstance, gateway: Gateway): void {
  app.get('/api/user/self', async (request) => {
    const { headers } = request;
    const account = authenticateAccount(gateway.registry, headers);
    const { account_used } = gateway.readings;
    const units = (amount: PicoUsd): number => quotaUnits(amount, gateway.quotaPerUsd);
    const right: ServedAccount = {
      quota: units(account.balance - account.reserved),
      used_quota: units(account_used === 'reserved' ? account.used + account.reserved : account.used),
      request_count: account.requests,
    };
    return {
      success: true,
      message: '',
      data: {
        id: account.id,
        username: `user${account.id}`,
        display_name: `User ${account.id}`,
        role: 1,
        status: 1,
        group: 'default',
        ...requestFaults(request).through(right, (hooks, figures) => hooks.account?.(figures)),
      },
    };
  });
}

/** Whole internal units, cut off. */
function quotaUnits(amount: PicoUsd, perUsd: number): number {
  return Number((amount * BigInt(perUsd)) / 10n ** BigInt(AMOUNT_SCALE));
}

export function modelRoutes(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    const { headers } = request;
    if (headers.authorization === undefined && !gateway.readings.lists_need_key) return;
    rememberKey(request, authenticateKey(gateway.registry, bearerOf(headers)));
  };
  app.get('/v1/models', { onRequest }, async (request) => {
    const key = keyIfAny(request);
    const listed = CATALOGUE.filter(
      // A server without bill has text alone.
      ({ id, kind }) => (key?.models?.has(id) ?? true) && (gateway.quirks === null || kind === 'text'),
    );
    return { object: 'list', data: listed.map(described) };
  });
  // An id may hold slashes.
  app.get<{ Params: { '*': string } }>('/v1/models/*', { onRequest }, async (request) => {
    const id = request.params['*'];
    const model = modelById(id);
    if (model === null || !(keyIfAny(request)?.models?.has(id) ?? true)) throw noSuchModel(id);
    return described(model);
  });
}

function described({ id }: Model): object {
  return { id, object: 'model', created: FIRST_EDITION.effectiveAt, owned_by: 'weighbridge' };
}

export function pricingRoutes(app: FastifyInstance, gateway: Gateway): void {
  const { prices, readings } = gateway;
  const onRequest = readings.lists_need_key ? { onRequest: requireKey(gateway) } : {};
  let reads = 0;
  app.get('/pricing.usd.json', onRequest, async (request, reply) => {
    const { current } = prices;
    const etag = `"${current.book.pricing_version}"`;
    reply.header('etag', etag).header('cache-control', 'public, max-age=60');
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const served = requestFaults(request).through(current, (hooks, version) => hooks.book?.(version));
    reads += 1;
    return servedBook(readings.book_order === 'any' ? turned(served, reads) : served, readings);
  });
}

/** The same version with its models in another order. */
function turned({ book, models }: PriceVersion, by: number): PriceVersion {
  const turn = <T>(all: readonly T[]): readonly T[] => [
    ...all.slice(by % all.length),
    ...all.slice(0, by % all.length),
  ];
  return { book: { ...book, models: turn(book.models) }, models: turn(models) };
}
