import { type CoverageResult, type NotCheckable, WITHOUT_A_LOG } from '../../../contracts/coverage-result.ts';
import { isNotOurs } from '../../../contracts/match-pass.ts';
import type { PicoUsd } from '../../../core/amount.ts';
import type { Judgement } from '../../judge/judgement.ts';
import { sum } from '../../records/sum-amounts.ts';
import { sharesOf } from './shares-of.ts';

/** Reasons told one by one; the others are one line. */
const MOST_REASONS = 10;

const UNREADABLE_AMOUNT = 'its amount cannot be read';

interface Reason {
  readonly why: string;
  weight: PicoUsd;
  calls: number;
}

/**
 * Why charges could not be checked, most money first: their shares sum to `share`, that of all which is not checkable.
 * What is another client's is not told here, since it is not charged to us.
 */
export function notCheckable(
  judgements: readonly Judgement[],
  share: number | null,
): readonly NotCheckable[] {
  const reasons = new Map<string, Reason>();
  for (const judgement of judgements) {
    const parts = judgement.money.filter(({ checked }) => checked === 'not_checkable');
    const weight = sum(parts.map((part) => part.weight));
    const calls = judgement.calls.filter(
      ({ verdict, match }) => !isNotOurs(match) && (weight > 0n || verdict === 'not_checkable'),
    );
    if (calls.length === 0) continue;
    const why = parts.some(({ charged }) => charged === null)
      ? UNREADABLE_AMOUNT
      : reasonOf(calls[0]?.why ?? '');
    const reason = reasons.get(why) ?? { why, weight: 0n, calls: 0 };
    reason.weight += weight;
    reason.calls += calls.length;
    reasons.set(why, reason);
  }
  const sorted = [...reasons.values()].sort(byWeight);
  const rest = sorted.slice(MOST_REASONS);
  const told =
    rest.length === 0
      ? sorted
      : [
          ...sorted.slice(0, MOST_REASONS),
          {
            why: `${rest.length} other ${rest.length === 1 ? 'reason' : 'reasons'}`,
            weight: sum(rest.map(({ weight }) => weight)),
            calls: rest.reduce((total, { calls }) => total + calls, 0),
          },
        ];
  const shares = sharesOf(
    told.map(({ weight }) => weight),
    share ?? 0,
  );
  return told.map(({ why, calls }, index) => ({ why, share: shares[index] ?? 0, calls }));
}

/** What a judgement says, without the classes of findings behind it. */
function reasonOf(why: string): string {
  return why.split('; ')[0] ?? why;
}

function byWeight(left: Reason, right: Reason): number {
  if (left.weight !== right.weight) return left.weight > right.weight ? -1 : 1;
  return right.calls - left.calls || (left.why < right.why ? -1 : 1);
}

const SCALE = 1_000_000_000;

/** Of all charged money: what is right of less is no verdict on a bill. */
const LEAST_OF_ALL = 0.01;

/**
 * Why a bill without findings is no verdict: too little of its money was checked; null where enough was. `minChecked`
 * counts what can be decided: with records alone nobody can do more.
 */
export function uncheckedReason(coverage: CoverageResult, minChecked: number): string | null {
  const { to_the_digit, within_bounds, consistent, provisional, not_checkable_why } = coverage;
  if (to_the_digit === null) return null;
  const untold = coverage.untold ?? 0;
  // What only agrees with prices that were made of it proves none of them.
  const checked = to_the_digit + (within_bounds ?? 0) - (consistent ?? 0);
  const enough =
    isAtLeast(checked, minChecked * (1 - untold)) && isAtLeast(checked, Math.min(minChecked, LEAST_OF_ALL));
  if (enough) return null;
  const largest = not_checkable_why.find(({ why }) => !why.startsWith(WITHOUT_A_LOG));
  const rest = [
    ...(untold === 0 ? [] : [`${percent(untold)} ${WITHOUT_A_LOG}`]),
    ...(largest === undefined || largest.share === 0
      ? []
      : [`${percent(largest.share)} could not: ${largest.why}`]),
    ...((consistent ?? 0) === 0
      ? []
      : [`${percent(consistent)} is only consistent with prices or a rounding inferred from itself`]),
    ...((provisional ?? 0) === 0 ? [] : [`${percent(provisional)} is provisional`]),
  ];
  return [
    `too little could be checked to judge: only ${percent(checked)} of the charged money`,
    ...rest,
  ].join('; ');
}

/** Why nothing was checked at all. */
export function nothingCheckedReason({ untold }: CoverageResult): string {
  const why = (untold ?? 0) === 0 ? '' : `: ${percent(untold)} of the charged money ${WITHOUT_A_LOG}`;
  return `nothing could be checked${why}`;
}

function isAtLeast(share: number, least: number): boolean {
  return Math.round(share * SCALE) >= Math.round(least * SCALE);
}

function percent(share: number | null): string {
  const of = share ?? 0;
  const nearAnEnd = (of > 0 && of < 0.01) || (of > 0.99 && of < 1);
  return `${(of * 100).toFixed(nearAnEnd ? 2 : 1)} %`;
}
