import type { BillingReadings } from '../../contracts/billing-readings.ts';
import { type BillingTerms, declaredIn } from '../../contracts/billing-terms.ts';
import { type CoverageSetting, shownSetting } from '../../contracts/coverage-result.ts';
import type { BookSetting } from '../../pricebook/read/read-price-book.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import type { CachePlaces } from '../match/cache-places.ts';
import { type AcceptedTelling, NOTHING_ACCEPTED } from '../records/accepted-sums.ts';
import { isHabit } from '../records/habit.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { cacheOfCalls, cacheSemantics, type MatchedGroup } from './cache-semantics.ts';

/** Readings of points where the interface is silent, decided from the data where they can be. */
export interface BillingSettings {
  readonly amount_meaning: 'net' | 'gross';
  /** False while too few records tell: then a charge may be meant either way. */
  readonly amount_established: boolean;
  readonly input_includes_cache: 'yes' | 'no';
  /** True while records tell both, or none does: then a count may be meant either way. */
  readonly input_open: boolean;
  readonly shown: readonly CoverageSetting[];
  /** Why declared readings cannot be true of most records that tell. */
  readonly contradicted: readonly string[];
}

export function billingSettings(
  records: readonly ServedRecord[],
  groups: readonly MatchedGroup[],
  shelf: BookShelf,
  terms: Pick<BillingTerms, 'readings' | 'assumed'>,
  accepted: AcceptedTelling = NOTHING_ACCEPTED.telling,
  cached: CachePlaces | null = null,
): BillingSettings {
  const { readings } = terms;
  const declared = (name: string): string => declaredIn(terms, 'readings', name);
  const amount = amountMeaning(records, accepted, readings.amount, declared('amount'));
  const cache = cacheSemantics(cached ?? cacheOfCalls(groups, accepted), shelf, {
    told_by: cached === null ? 'calls' : 'records',
    declared: readings.input_tokens,
    declared_in: declared('input_tokens'),
    beyond: records.filter(({ input, cache_read }) => input !== null && (cache_read ?? 0n) > input).length,
  });
  const booked = shelf.settings
    .filter(({ name }) => name !== 'input_includes_cache')
    .map(({ name, value, evidence }) => shownSetting({ name, value, evidence, basis: basisOf(evidence) }));
  return {
    amount_meaning: amount.value,
    amount_established: amount.established,
    input_includes_cache: cache.value,
    input_open: cache.also.length > 0,
    shown: [
      shownSetting({
        name: 'amount_meaning',
        value: amount.value,
        evidence: amount.evidence,
        basis: readings.amount !== 'auto' ? 'declared' : amount.telling > 0 ? 'records' : 'assumed',
        also: amount.established ? [] : [amount.value === 'net' ? 'gross' : 'net'],
        example: amount.example === null ? null : `record:${amount.example}`,
      }),
      shownSetting({
        name: 'input_includes_cache',
        value: cache.value,
        evidence: cache.evidence,
        basis: cache.basis,
        also: cache.also,
      }),
      ...booked,
    ],
    contradicted: [amount.contradicted, cache.contradicted].filter((why) => why !== null),
  };
}

interface AmountReading {
  readonly value: 'net' | 'gross';
  readonly evidence: string;
  readonly contradicted: string | null;
  readonly established: boolean;
  /** How many records tell, and the first of them. */
  readonly telling: number;
  readonly example: string | null;
}

/**
 * Net: `amount` is what was charged. Gross: `amount` is the reserve and the refund comes off it. They differ only where
 * something was refunded.
 */
function amountMeaning(
  records: readonly ServedRecord[],
  accepted: AcceptedTelling,
  reading: BillingReadings['amount'],
  declared: string,
): AmountReading {
  let { net, gross } = accepted;
  let example: string | null = null;
  for (const { id, role, amount, reserved, refunded } of records) {
    if (role !== 'settled' || amount.exact === null || reserved.exact === null) continue;
    if (refunded.exact === null || refunded.exact <= 0n) continue;
    if (amount.exact + refunded.exact === reserved.exact) net += 1;
    else if (amount.exact === reserved.exact && refunded.exact <= amount.exact) gross += 1;
    else continue;
    example ??= id;
  }
  const found = { telling: net + gross, example };
  const counts = `${net} settled records with a refund fit net, ${gross} fit gross`;
  if (reading !== 'auto') {
    const evidence = `declared in ${declared}`;
    const [fit, contrary] = reading === 'net' ? [net, gross] : [gross, net];
    if (contrary === 0) return { ...found, value: reading, evidence, contradicted: null, established: true };
    const contradicted = `${declared} is declared as ${reading}, but ${counts}`;
    return {
      ...found,
      value: reading,
      evidence: `${evidence}, but ${counts}`,
      contradicted: contrary > fit ? contradicted : null,
      established: contrary <= fit,
    };
  }
  const value = gross > net ? 'gross' : 'net';
  const evidence = net + gross === 0 ? 'by default: no settled record with a refund tells' : counts;
  const established = isHabit({ telling: net + gross, exceptions: net < gross ? net : gross });
  return { ...found, value, evidence, contradicted: null, established };
}

function basisOf(evidence: BookSetting['evidence']): CoverageSetting['basis'] {
  if (evidence === 'declared by default' || evidence === 'not told by the book') return 'assumed';
  return evidence === 'published by the target' || evidence === 'told by the price book given by hand'
    ? 'book'
    : 'declared';
}
