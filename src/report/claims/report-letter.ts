import type { UntoldTerm } from '../../contracts/reconciliation.ts';
import type { Result } from '../../contracts/result.ts';
import { formatAmount } from '../../core/amount.ts';
import { plural } from '../../text/plural.ts';
import { ABSENT, periodText, usd } from '../words/figure-text.ts';
import { findingTitle } from '../words/finding-title.ts';
import { byCause, sumOfClaims } from './claim-causes.ts';
import { claimAmount, type RowClaim } from './claimable.ts';
import { letterKind, whyNoSum } from './untold-words.ts';

export interface RaisedBill {
  readonly target: string;
  readonly period: Result['period'];
  /** What the whole bill charges, USD. */
  readonly charged: string | null;
  readonly claims: readonly RowClaim[];
  /** Why no sum is demanded; empty where it is. */
  readonly untold: readonly UntoldTerm[];
}

/** A mail of more is not read: the bundle has all of them. */
const MOST_REQUESTS = 100;

/** The text of a mail to the support of a gateway: what is wrong, request by request, and what is asked for. */
export function reportLetter({ target, period, charged, claims, untold }: RaisedBill): string {
  const causes = byCause(claims).toSorted((left, right) => {
    const difference = sumOfClaims(right) - sumOfClaims(left);
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  });
  const isClaim = letterKind(untold) === 'claim';
  const sum = usd(formatAmount(sumOfClaims(claims)));
  const when = period === null ? ABSENT : periodText(period);
  const requests = plural(claims.length, 'request');
  const opening = `From ${when} (UTC) you charged our account ${usd(charged)}.`;
  const listed = Math.max(1, Math.floor(MOST_REQUESTS / causes.length));
  return [
    `Subject: ${isClaim ? `Please credit ${sum} to our account` : `Please explain the charges of ${requests}`}`,
    `To the support of ${target},`,
    isClaim
      ? `${opening} By your price list, ${requests} of it cost ${sum} less than you charged. Please credit ${sum} to our account.`
      : `${opening} We computed ${requests} of it by your price list and get other amounts. Please explain each of them. ${whyNoSum(untold)}`,
    ...causes.map((own, index) => causeText(own, { number: index + 1, isClaim, listed })),
    'We can send you each request with its usage record, its price and the sum term by term.',
  ].join('\n\n');
}

function causeText(
  own: readonly RowClaim[],
  {
    number,
    isClaim,
    listed,
  }: { readonly number: number; readonly isClaim: boolean; readonly listed: number },
): string {
  const [first] = own;
  if (first === undefined) return '';
  const model = first.claim.model === null ? '' : `, model ${first.claim.model}`;
  const sum = isClaim ? `: ${usd(formatAmount(sumOfClaims(own)))}` : '';
  const more = own.length - listed;
  return [
    `${number}. ${findingTitle(first.finding)}${model}, ${plural(own.length, 'request')}${sum}`,
    ...own.slice(0, listed).map((each) => requestLine(each, isClaim)),
    ...(more > 0 ? [`   and ${plural(more, 'more request')}`] : []),
  ].join('\n');
}

function requestLine({ claim, row }: RowClaim, isClaim: boolean): string {
  const name = claim.request_id ?? claim.records.map(({ id }) => `record ${id}`).join(', ');
  const { charged, expected } = row.money ?? { charged: null, expected: null };
  const amounts = [
    ...(charged === null ? [] : [`charged ${usd(charged)}`]),
    ...(expected === null ? [] : [`we compute ${usd(expected)}`]),
    ...(claimAmount(claim.held) === 0n ? [] : [`still reserved ${usd(claim.held)}`]),
    ...(isClaim ? [`to credit ${usd(claim.amount)}`] : []),
  ];
  return `   - ${[name, ...amounts].join(', ')}`;
}
