import type { CoverageSetting } from '../../contracts/coverage-result.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import { gradeOf } from '../../pricebook/charge/evaluate-charge.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import { type CachePlaces, isMixed } from '../match/cache-places.ts';
import type { AcceptedTelling } from '../records/accepted-sums.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';

export interface MatchedGroup {
  readonly call: PaidCall;
  readonly records: readonly ServedRecord[];
}

interface CacheReading extends Pick<CoverageSetting, 'evidence' | 'basis' | 'also'> {
  readonly value: 'yes' | 'no';
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

/** Whether input_tokens hold cached tokens: as the book tells; else as most records do, and both where none is a habit. */
export function cacheSemantics(
  places: CachePlaces,
  shelf: BookShelf,
  told_by: 'calls' | 'records',
  /** Records with more cached tokens than input_tokens. */
  beyond: number,
): CacheReading {
  const { inside, beside } = places;
  const published = shelf.latest?.usage_semantics.input_includes_cache ?? 'unknown';
  const counts =
    told_by === 'calls'
      ? `${inside} records of calls with cached tokens hold them inside input_tokens, ${beside} beside it`
      : `${inside} records with cached tokens are priced with them inside input_tokens, ${beside} beside it`;
  if (published !== 'unknown')
    return { value: published, evidence: `${toldBy(shelf.latest)}; ${counts}`, basis: 'book', also: [] };
  if (inside + beside === 0 && beyond > 0)
    return {
      ...{ value: 'no', basis: 'records', also: [] },
      evidence: `${beyond} records have more cached tokens than input_tokens`,
    };
  if (inside + beside === 0)
    return {
      ...{ value: 'yes', basis: 'assumed', also: ['no'] },
      evidence: `by default: no ${told_by === 'calls' ? 'call' : 'record'} with cached tokens tells`,
    };
  const value = beside > inside ? 'no' : 'yes';
  return {
    ...{ value, evidence: counts, basis: told_by },
    also: isMixed(places) ? [value === 'yes' ? 'no' : 'yes'] : [],
  };
}

/** The target publishes nothing of a book that was given by hand. */
function toldBy(book: PriceBook | null): string {
  return book !== null && gradeOf(book) === 'declared' ? 'told by the price book' : 'published by the target';
}
