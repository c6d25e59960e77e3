import type { BillingReadings } from '../../contracts/billing-terms.ts';
import type { CoverageSetting } from '../../contracts/coverage-result.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import { gradeOf } from '../../pricebook/charge/evaluate-charge.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import { type AcceptedTelling, NOTHING_ACCEPTED } from '../records/accepted-sums.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { statusSettings } from '../records/status-roles.ts';
import { isHabit } from './habit.ts';

/** Readings of points where the interface is silent, decided from the data where they can be. */
export interface BillingSettings {
  readonly amount_meaning: 'net' | 'gross';
  /** False while too few records tell: then a charge may be meant either way. */
  readonly amount_established: boolean;
  readonly input_includes_cache: 'yes' | 'no';
  readonly shown: readonly CoverageSetting[];
  /** Why a declared reading cannot be true of most records that tell; null where none is contradicted. */
  readonly contradicted: string | null;
}

export interface MatchedGroup {
  readonly call: PaidCall;
  readonly records: readonly ServedRecord[];
}

export function billingSettings(
  records: readonly ServedRecord[],
  groups: readonly MatchedGroup[],
  shelf: BookShelf,
  readings: BillingReadings,
  accepted: AcceptedTelling = NOTHING_ACCEPTED.telling,
): BillingSettings {
  const amount = amountMeaning(records, accepted, readings.amount);
  const cache =
    readings.input_tokens === 'auto'
      ? cacheSemantics(records, groups, shelf, accepted)
      : declared(readings.input_tokens === 'with_cache' ? ('yes' as const) : ('no' as const), 'input_tokens');
  const booked = shelf.settings
    .filter(({ name }) => name !== 'input_includes_cache')
    .map(({ name, value, evidence }): CoverageSetting => ({ name, value, evidence }));
  return {
    amount_meaning: amount.value,
    amount_established: amount.established,
    input_includes_cache: cache.value,
    shown: [
      { name: 'amount_meaning', value: amount.value, evidence: amount.evidence },
      { name: 'input_includes_cache', ...cache },
      ...booked,
      ...statusSettings(records, readings.status),
    ],
    contradicted: amount.contradicted,
  };
}

function declared<Value>(value: Value, name: string): { readonly value: Value; readonly evidence: string } {
  return { value, evidence: `declared in billing.readings.${name}` };
}

/**
 * Net: `amount` is what was charged. Gross: `amount` is the reserve and the refund comes off it. They differ only where
 * something was refunded.
 */
function amountMeaning(
  records: readonly ServedRecord[],
  accepted: AcceptedTelling,
  reading: BillingReadings['amount'],
): { value: 'net' | 'gross'; evidence: string; contradicted: string | null; established: boolean } {
  let { net, gross } = accepted;
  for (const { role, amount, reserved, refunded } of records) {
    if (role !== 'settled' || amount.exact === null || reserved.exact === null) continue;
    if (refunded.exact === null || refunded.exact <= 0n) continue;
    if (amount.exact + refunded.exact === reserved.exact) net += 1;
    else if (amount.exact === reserved.exact && refunded.exact <= amount.exact) gross += 1;
  }
  const counts = `${net} settled records with a refund fit net, ${gross} fit gross`;
  if (reading !== 'auto') {
    const evidence = 'declared in billing.readings.amount';
    const [fit, contrary] = reading === 'net' ? [net, gross] : [gross, net];
    if (contrary === 0) return { value: reading, evidence, contradicted: null, established: true };
    const contradicted = `billing.readings.amount is declared as ${reading}, but ${counts}`;
    return {
      value: reading,
      evidence: `${evidence}, but ${counts}`,
      contradicted: contrary > fit ? contradicted : null,
      established: contrary <= fit,
    };
  }
  const value = gross > net ? 'gross' : 'net';
  const evidence = net + gross === 0 ? 'by default: no settled record with a refund tells' : counts;
  const established = isHabit({ telling: net + gross, exceptions: net < gross ? net : gross });
  return { value, evidence, contradicted: null, established };
}

/** The target publishes nothing of a book that was given by hand. */
function toldBy(book: PriceBook | null): string {
  return book !== null && gradeOf(book) === 'declared' ? 'told by the price book' : 'published by the target';
}

function cacheSemantics(
  records: readonly ServedRecord[],
  groups: readonly MatchedGroup[],
  shelf: BookShelf,
  accepted: AcceptedTelling,
): { value: 'yes' | 'no'; evidence: string } {
  let { inside, beside: outside } = accepted;
  for (const { call, records } of groups) {
    const usage = call.outcome === 'ok' ? (call.row?.usage ?? null) : null;
    const record = records[0];
    if (usage === null || usage.input === null || record?.input === undefined || record.input === null)
      continue;
    const cached = BigInt((usage.cache_read ?? 0) + (usage.cache_write ?? 0));
    if (cached === 0n) continue;
    if (record.input === BigInt(usage.input)) inside += 1;
    else if (record.input === BigInt(usage.input) - cached) outside += 1;
  }
  const published = shelf.latest?.usage_semantics.input_includes_cache ?? 'unknown';
  const counts = `${inside} records of calls with cached tokens hold them inside input_tokens, ${outside} beside it`;
  if (published !== 'unknown') return { value: published, evidence: `${toldBy(shelf.latest)}; ${counts}` };
  if (inside + outside > 0) return { value: outside > inside ? 'no' : 'yes', evidence: counts };
  const beyond = records.filter(
    ({ input, cache_read }) => input !== null && (cache_read ?? 0n) > input,
  ).length;
  return beyond > 0
    ? { value: 'no', evidence: `${beyond} records have more cached tokens than input_tokens` }
    : { value: 'yes', evidence: 'by default: no call with cached tokens tells' };
}
