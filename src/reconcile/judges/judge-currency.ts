import type { Finding } from '../../contracts/finding.ts';
import { compareText } from '../../core/compare-text.ts';
import type { JudgedSweep } from '../input/judged-sweep.ts';
import { makeFinding } from './make-finding.ts';
import { evidenceOfRead, instantKey } from './read-evidence.ts';

/** Pages of records in another currency than USD: no amount on them counts as USD anywhere. */
export function judgeCurrency({ reads }: JudgedSweep): readonly Finding[] {
  const foreign = reads.filter(
    ({ read, currency }) => read !== 'totals' && currency !== null && currency !== 'USD',
  );
  return [...Map.groupBy(foreign, ({ currency }) => currency ?? '')].map(([currency, pages]) =>
    makeFinding({
      class: 'currency_or_unit_error',
      rule: 'page_currency',
      confidence: 'proved',
      delta: null,
      evidence: [
        `currency:${currency}`,
        ...evidenceOfRead(pages.toSorted((left, right) => compareText(instantKey(left), instantKey(right)))),
      ],
      explanation: `${pages.length === 1 ? 'A page' : `${pages.length} pages`} of records came in ${JSON.stringify(currency)}; usage is documented in USD.`,
      next_step: 'Ask the operator in which currency is billed; the amounts of these pages were not judged.',
    }),
  );
}
