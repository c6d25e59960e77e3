import type { UsageQuery } from '../client/dialects/bill-reader.ts';
import type { ReadFailure } from '../client/read-result.ts';
import type { LeafFigure, ReadPurpose } from '../contracts/usage-lines.ts';
import { parseAmount } from '../core/amount.ts';
import { utcDay } from '../core/time.ts';
import type { SweepContext } from './sweep-context.ts';
import { describeFailure, LONGEST_CURRENCY, maskedWords } from './walk-pages.ts';

/** Totals as served, with the figures that a reader compares: counts, or 10⁻¹² USD; null where unreadable. */
export interface ReadTotals {
  readonly body: Readonly<Record<string, unknown>>;
  readonly figures: Readonly<Record<LeafFigure, bigint | null>>;
  readonly readAt: string;
  readonly answerId: string | null;
}

const AMOUNTS = ['settled_amount', 'pending_amount', 'refunded_amount'] as const;

/** Reads the totals of a window, or tells what failed. */
export async function readTotals(
  { client, store, state, hazards }: SweepContext,
  query: UsageQuery,
  purpose: ReadPurpose,
  pass: number | null = null,
): Promise<ReadTotals | { readonly failure: ReadFailure; readonly reason: string }> {
  const { window } = query;
  const result = await state.budget.ask(
    () => client.usageTotals(query),
    (id) => hazards.met('rate_limit', id),
  );
  const readAt = store.instant();
  const note = {
    read: 'totals',
    window,
    model: query.model ?? null,
    purpose,
    pass,
    status: result.status,
    answer_request_id: result.requestId,
  } as const;
  if (!result.ok) {
    const reason = `totals_failed: ${window.start}–${window.end}: ${describeFailure(result)}`;
    store.read({ ...note, reasons: [reason] }, readAt);
    return { failure: result, reason };
  }
  const { body, sha256, requestId } = result;
  const [settled, pending, refunded] = AMOUNTS.map((name) => amountOf(body[name]));
  const count = body['records'];
  const records = typeof count === 'number' && Number.isSafeInteger(count) ? count : null;
  const currency = typeof body['currency'] === 'string' ? body['currency'].slice(0, LONGEST_CURRENCY) : null;
  store.read({ ...note, count: records, sha256, currency, reasons: maskedWords(result) }, readAt);
  if (hasForeignDay(body['daily'], window)) hazards.met('local_days', requestId);
  return {
    body,
    readAt,
    answerId: requestId,
    figures: {
      records: records === null ? null : BigInt(records),
      settled: settled ?? null,
      pending: pending ?? null,
      refunded: refunded ?? null,
    },
  };
}

function amountOf(value: unknown): bigint | null {
  return typeof value === 'string' ? parseAmount(value) : null;
}

/** A day outside the window's UTC days: the sums were cut at another midnight, and we never cut them anew. */
function hasForeignDay(daily: unknown, { start, end }: UsageQuery['window']): boolean {
  if (!Array.isArray(daily)) return false;
  return daily.some((day: unknown) => {
    const date: unknown = typeof day === 'object' && day !== null ? Reflect.get(day, 'date') : null;
    return typeof date === 'string' && (date < utcDay(start) || date > utcDay(end - 1));
  });
}
