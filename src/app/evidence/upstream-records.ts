import { UPSTREAM_SCHEMA, type UpstreamCall } from '../../contracts/upstream-call.ts';
import { RECORD_DEFAULTS, USAGE_RECORD_SCHEMA } from '../../contracts/usage-lines.ts';
import { formatAmount } from '../../core/amount.ts';
import { instantOfSecond } from '../../core/time.ts';
import { chargeOf, exactOf } from '../../reconcile/expect/charge.ts';
import { type ServedRecord, serveRecord } from '../../reconcile/records/served-record.ts';
import type { RecordMapping } from './record-mapping.ts';
import { recordsCorrupt } from './record-tables.ts';
import { recordsOf } from './records-file.ts';

/** The calls of a provider's bill, and what was passed over, in words. */
export interface UpstreamRows {
  readonly calls: readonly UpstreamCall[];
  /** Rows that the mapping leaves out, by what they have in place of what it takes. */
  readonly left: ReadonlyMap<string, number>;
  /** Torn last lines. */
  readonly torn: readonly string[];
}

/**
 * Reads the usage records of a provider, or rows that are such by a mapping. What they charge is what the gateway paid.
 * Throws `records_corrupt` with file and line: an amount that is not exact would make no margin.
 */
export async function upstreamRows(file: string, mapping: RecordMapping | null): Promise<UpstreamRows> {
  const calls: UpstreamCall[] = [];
  const left = new Map<string, number>();
  const torn: string[] = [];
  for await (const read of recordsOf(file, mapping)) {
    if ('torn' in read) torn.push(read.torn);
    else if ('left' in read) left.set(read.left, (left.get(read.left) ?? 0) + 1);
    else {
      const place = { file, line: read.line };
      const { currency, record } = read;
      if (currency !== null && currency !== 'USD')
        throw recordsCorrupt(place, `expected amounts in USD, found ${currency}`);
      const served = serveRecord({
        ...RECORD_DEFAULTS,
        schema: USAGE_RECORD_SCHEMA,
        read_at: '',
        sweep: 0,
        by_request_id: false,
        record,
      });
      const charge = chargeOf(served, { amount_meaning: 'net' });
      const cost = charge === null ? null : exactOf(charge);
      if (cost === null)
        throw recordsCorrupt(
          place,
          `amount: expected USD of at most 12 decimals, found ${JSON.stringify(served.amount.text)}`,
        );
      if (served.request_id === '' && served.id === '')
        throw recordsCorrupt(place, 'expected an id or a request_id, found neither');
      // What a reserve comes to is not known before it settles.
      calls.push(callOf(served, served.role === 'pending' ? null : formatAmount(cost)));
    }
  }
  return { calls, left, torn };
}

function callOf(record: ServedRecord, cost: string | null): UpstreamCall {
  const { request_id, id, upstream_ids = [], model, created_at } = record;
  return {
    schema: UPSTREAM_SCHEMA,
    type: 'call',
    ids: [...new Set([request_id, id, ...upstream_ids])].filter((each) => each !== ''),
    marker: null,
    model,
    at: instantOfSecond(created_at),
    cost,
    input: countOf(record.input),
    output: countOf(record.output),
    cache_read: countOf(record.cache_read),
    cache_write: countOf(record.cache_write),
  };
}

function countOf(count: bigint | null): number | null {
  return count === null || count < 0n ? null : Number(count);
}
