import { TITLE_OF } from '../../contracts/fault-class.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { formatAmount } from '../../core/amount.ts';
import { type Section, table, text } from '../sections/report-document.ts';
import { ABSENT, usd } from '../words/figure-text.ts';
import { aboveLeast, byCause, sumOfClaims } from './claim-causes.ts';
import { claimable, type RowClaim } from './claimable.ts';
import { apartTable } from './not-claimed.ts';
import { declareWords, letterKind } from './untold-words.ts';

/**
 * What can be asked back now, cause by cause, and what cannot yet, with its date. `least`: the sum that a cause must come
 * to. Null where nothing is too much.
 */
export function claimsSection(
  runId: string,
  reconciliation: Reconciliation,
  least: string | null,
): Section | null {
  const { claims, apart, untold } = aboveLeast(claimable(runId, reconciliation), least);
  if (claims.length === 0 && apart.length === 0) return null;
  const kind = letterKind(untold);
  const asks =
    kind === 'claim' ? 'a letter that claims these sums' : `a letter that asks; ${declareWords(untold)}`;
  return {
    id: 'claims',
    title: kind === 'claim' ? 'What can be claimed' : 'What can be asked about',
    blocks: [
      ...(claims.length === 0
        ? [text('Nothing now: no final finding proves a charge that is too much.')]
        : [
            text(`weighbridge report --bundle writes ${asks}.`),
            table(['cause', 'model', 'rule', '#requests', '#USD'], byCause(claims).map(causeRow)),
          ]),
      ...(apart.length === 0 ? [] : [text('Left out of it:'), apartTable(apart)]),
    ],
  };
}

function causeRow(own: readonly RowClaim[]): readonly string[] {
  const [first] = own;
  if (first === undefined) return [];
  const { finding, claim } = first;
  const sum = usd(formatAmount(sumOfClaims(own)));
  return [TITLE_OF[finding.class], claim.model ?? ABSENT, finding.rule, String(own.length), sum];
}
