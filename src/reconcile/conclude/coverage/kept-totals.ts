import { type BillingTerms, declaredIn } from '../../../contracts/billing-terms.ts';
import { type CoverageSetting, shownSetting } from '../../../contracts/coverage-result.ts';
import type { ComparedTotals } from '../../records/totals-disagreements.ts';

/** How the totals were read, for the settings that are shown. */
export function totalsSettings(
  { totals, reading, others, disagreements }: ComparedTotals,
  terms: Pick<BillingTerms, 'readings' | 'assumed'>,
): readonly CoverageSetting[] {
  if (totals === null) return [];
  const isWhole = disagreements.every(({ against }) => against !== 'records');
  return (['settled', 'pending', 'refunded'] as const).map((figure) => {
    const name = `totals_${figure}` as const;
    const isDeclared = terms.readings[name] !== 'auto';
    return shownSetting({
      name,
      value: reading[figure],
      basis: isDeclared ? 'declared' : isWhole ? 'totals' : 'assumed',
      evidence: isDeclared
        ? `declared in ${declaredIn(terms, 'readings', name)}`
        : 'the reading under which most figures of the totals equal the records',
      also: [...new Set(others.map((each) => each[figure]))].filter((each) => each !== reading[figure]),
      // Readings that fit alike give the same sums.
      ...(isWhole ? { changes: '0' } : {}),
    });
  });
}
