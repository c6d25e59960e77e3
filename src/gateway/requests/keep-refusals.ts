import type { FastifyInstance } from 'fastify';
import { NO_TOKENS } from '../events/charge-record.ts';
import { CHARGED_ENDPOINTS } from '../http/endpoints.ts';
import { asApiError } from '../http/error-answer.ts';
import type { Gateway } from '../parts/gateway.ts';
import { unixSeconds } from '../time/clock.ts';
import { isJsonObject } from './json-answer.ts';
import { keyIfAny } from './request-key.ts';

const PAID: ReadonlySet<string | undefined> = new Set(CHARGED_ENDPOINTS);
const MOST_CHARACTERS = 191;

/** Has a call that is refused leave a record of amount 0, where the readings say so. */
export function keepRefusals(app: FastifyInstance, { readings, ledger, prices, clock }: Gateway): void {
  if (readings.refused_call === 'no_record') return;
  app.addHook('onError', async (request, _reply, error) => {
    const key = keyIfAny(request);
    if (key === null || !PAID.has(request.routeOptions.url) || asApiError(error).status >= 500) return;
    const { pricebook_id, pricing_version } = prices.current.book;
    const record = {
      requestId: request.id,
      createdAt: unixSeconds(clock.wallMs()),
      model: askedModel(request.body),
      result: 'failed',
      status: 'refunded',
      amount: 0n,
      reserved: 0n,
      refunded: 0n,
      usage: NO_TOKENS,
      estimated: false,
      pricebookId: pricebook_id,
      pricingVersion: pricing_version,
    } as const;
    ledger.book(key, record, true);
  });
}

/** The model as a JSON body asks for it; empty for a form, and for a body without one. */
function askedModel(body: unknown): string {
  const model = isJsonObject(body) ? body['model'] : null;
  return typeof model === 'string' ? model.slice(0, MOST_CHARACTERS) : '';
}
