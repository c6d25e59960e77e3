import type { NotCheckable } from '../../contracts/coverage-result.ts';
import { isNotOurs } from '../../contracts/match-pass.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { Judgement } from '../judges/judgement.ts';
import { sum } from '../records/sum-amounts.ts';
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
