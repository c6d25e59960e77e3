import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { Result } from '../../contracts/result.ts';
import { formatAmount } from '../../core/amount.ts';
import { type Section, table, text } from '../sections/report-document.ts';
import type { ReportedClaims } from '../sections/report-sections.ts';
import { ABSENT, usd, usdBounds } from '../words/figure-text.ts';
import { findingTitle } from '../words/finding-title.ts';
import { aboveLeast, byCause, sumOfClaims } from './claim-causes.ts';
import { type Claimable, claimable, type RowClaim } from './claimable.ts';
import { apartTable } from './not-claimed.ts';
import { reportLetter } from './report-letter.ts';
import { declareWords, letterKind } from './untold-words.ts';

/**
 * What can be raised with the gateway now, cause by cause, and what only later, with its date. `least`: the sum that a
 * cause must come to. Null where nothing is too much.
 */
export function reportedClaims(
  { run_id, target, period }: Pick<Result, 'run_id' | 'target' | 'period'>,
  reconciliation: Reconciliation,
  least: string | null,
): ReportedClaims | null {
  const found = aboveLeast(claimable(run_id, reconciliation), least);
  const { claims, apart, untold, charged } = found;
  if (claims.length === 0 && apart.length === 0) return null;
  const waiting = apart.find(({ what }) => what === 'provisional');
  const dates = reconciliation.findings
    .filter(({ provisional, direction, rows }) => provisional && direction === 'over' && rows === 1)
    .flatMap(({ deadline_at }) => deadline_at ?? []);
  return {
    section: claimsSection(found),
    now: claims.length === 0 ? null : formatAmount(sumOfClaims(claims)),
    later:
      waiting === undefined || !/[1-9]/.test(waiting.hi ?? '1')
        ? null
        : {
            usd: waiting.lo === waiting.hi ? usd(waiting.lo) : usdBounds(waiting.lo, waiting.hi),
            from: dates.toSorted()[0] ?? null,
          },
    letter: claims.length === 0 ? null : reportLetter({ target, period, charged, claims, untold }),
  };
}

function claimsSection({ claims, apart, untold }: Claimable): Section {
  const kind = letterKind(untold);
  const asks =
    kind === 'claim'
      ? 'a letter that claims these sums, with the evidence'
      : `a letter that asks about them; ${declareWords(untold)}`;
  return {
    id: 'claims',
    title: kind === 'claim' ? 'What can be claimed' : 'What can be asked about',
    blocks: [
      ...(claims.length === 0
        ? [text('Nothing can be raised now: no final finding proves a charge that is too high.')]
        : [
            text(`“weighbridge report --bundle” writes ${asks}.`),
            table(['cause', 'class', 'model', 'rule', '#requests', '#USD'], byCause(claims).map(causeRow)),
          ]),
      ...(apart.length === 0 ? [] : [text('The letter leaves these out:'), apartTable(apart)]),
    ],
  };
}

function causeRow(own: readonly RowClaim[]): readonly string[] {
  const [first] = own;
  if (first === undefined) return [];
  const { finding, claim } = first;
  const sum = usd(formatAmount(sumOfClaims(own)));
  return [findingTitle(finding), finding.class, claim.model ?? ABSENT, finding.rule, String(own.length), sum];
}
