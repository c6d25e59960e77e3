import type { z } from 'zod';
import type { AccountRecord } from '../../contracts/interface.ts';
import { accountAnswerSchema, usagePageSchema, usageTotalsSchema } from '../wire-schemas.ts';
import type { BillReader, FreeReads, UsageQuery } from './bill-reader.ts';

const account: z.ZodType<AccountRecord> = accountAnswerSchema.transform((answer) => answer.data);

/** GET /api/user/self: the account, not one key. */
export function readAccount(reads: FreeReads): ReturnType<BillReader['account']> {
  return reads.json(`${reads.bases.api}/user/self`, 'account', account);
}

/** interface §4, as it is written. */
export const interfaceReader: BillReader = {
  name: 'interface',
  paths: {
    book: 'GET /pricing.usd.json',
    records: 'GET /v1/usage/requests',
    account: 'GET /api/user/self',
  },
  totals: 'sums',
  async priceBook(reads) {
    const url = `${reads.bases.root}/pricing.usd.json`;
    const open = await reads.text(url, 'none');
    return open.status === 401 || open.status === 403 ? reads.text(url, 'key') : open;
  },
  usageTotals(reads, query) {
    return reads.json(`${reads.bases.v1}/usage?${queryOfWindow(query)}`, 'key', usageTotalsSchema);
  },
  usageRequests(reads, query) {
    const parameters = queryOfWindow(query);
    if (query.limit !== null) parameters.set('limit', String(query.limit));
    if (query.before !== null) parameters.set('before', query.before);
    return reads.json(`${reads.bases.v1}/usage/requests?${parameters}`, 'key', usagePageSchema);
  },
  account: readAccount,
};

export function queryOfWindow(query: UsageQuery): URLSearchParams {
  const parameters = new URLSearchParams({
    start_time: String(query.window.start),
    end_time: String(query.window.end),
  });
  if (query.model !== undefined) parameters.set('model', query.model);
  if (query.requestId !== undefined) parameters.set('request_id', query.requestId);
  return parameters;
}
