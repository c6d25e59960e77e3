import type { BillingReadings } from '../../contracts/billing-readings.ts';
import type { CoverageSetting } from '../../contracts/coverage-result.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import { gradeOf } from '../../pricebook/charge/evaluate-charge.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import { type CachePlaces, contradicts, isMixed } from '../match/cache-places.ts';
import type { AcceptedTelling } from '../records/accepted-sums.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';

export interface MatchedGroup {
  readonly call: PaidCall;
  readonly records: readonly ServedRecord[];
}

interface CacheReading extends Pick<CoverageSetting, 'evidence' | 'basis' | 'also'> {
  readonly value: 'yes' | 'no';
  /** Why what is declared cannot be true of most records that tell; null where it can. */
  readonly contradicted: string | null;
}

/** Where records of calls that were told of cached tokens count them. */
export function cacheOfCalls(groups: readonly MatchedGroup[], accepted: AcceptedTelling): CachePlaces {
  let { inside, beside } = accepted;
  for (const { call, records } of groups) {
    const usage = call.outcome === 'ok' ? (call.row?.usage ?? null) : null;
    const record = records[0];
    if (usage === null || usage.input === null || record?.input === undefined || record.input === null)
      continue;
    const cached = BigInt((usage.cache_read ?? 0) + (usage.cache_write ?? 0));
    if (cached === 0n) continue;
    if (record.input === BigInt(usage.input)) inside += 1;
    else if (record.input === BigInt(usage.input) - cached) beside += 1;
  }
  return { inside, beside };
}

/** Whether input_tokens hold cached tokens: as declared, else as the book tells; else as most records do, and both where none is a habit. */
export function cacheSemantics(
  places: CachePlaces,
  shelf: BookShelf,
  {
    told_by,
    declared,
    declared_in,
    beyond,
  }: {
    readonly told_by: 'calls' | 'records';
    readonly declared: BillingReadings['input_tokens'];
    readonly declared_in: string;
    /** Records with more cached tokens than input_tokens. */
    readonly beyond: number;
  },
): CacheReading {
  const { inside, beside } = places;
  const counts =
    told_by === 'calls'
      ? `${inside} records of calls with cached tokens hold them inside input_tokens, ${beside} beside it`
      : `${inside} records with cached tokens are priced with them inside input_tokens, ${beside} beside it`;
  const otherOf = (value: 'yes' | 'no'): 'yes' | 'no' => (value === 'yes' ? 'no' : 'yes');
  if (declared !== 'auto') {
    const value = declared === 'with_cache' ? 'yes' : 'no';
    const contrary = value === 'yes' ? beside : inside;
    const isContradicted = contradicts(places, declared);
    return {
      ...{ value, basis: 'declared', also: isContradicted ? [otherOf(value)] : [] },
      evidence: `declared in ${declared_in}${contrary === 0 ? '' : `, but ${counts}`}`,
      contradicted: isContradicted ? `${declared_in} is declared as ${declared}, but ${counts}` : null,
    };
  }
  const published = shelf.latest?.usage_semantics.input_includes_cache ?? 'unknown';
  if (published !== 'unknown')
    return {
      ...{ value: published, basis: 'book', also: [], contradicted: null },
      evidence: `${toldBy(shelf.latest)}; ${counts}`,
    };
  if (inside + beside === 0 && beyond > 0)
    return {
      ...{ value: 'no', basis: 'records', also: [], contradicted: null },
      evidence: `${beyond} records have more cached tokens than input_tokens`,
    };
  if (inside + beside === 0)
    return {
      ...{ value: 'yes', basis: 'assumed', also: ['no'], contradicted: null },
      evidence: `by default: no ${told_by === 'calls' ? 'call' : 'record'} with cached tokens tells`,
    };
  const value = beside > inside ? 'no' : 'yes';
  return {
    ...{ value, evidence: counts, basis: told_by, contradicted: null },
    also: isMixed(places) ? [otherOf(value)] : [],
  };
}

/** The target publishes nothing of a book that was given by hand. */
function toldBy(book: PriceBook | null): string {
  return book !== null && gradeOf(book) === 'declared' ? 'told by the price book' : 'published by the target';
}
