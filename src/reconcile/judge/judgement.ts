import type { Finding } from '../../contracts/finding.ts';
import type { JudgedCall, JudgedSum } from '../../contracts/reconciliation.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { type AmountBounds, exactOf } from '../expect/charge.ts';
import type { Expectation } from '../expect/expected-charge.ts';
import type { UntoldCharge } from '../expect/untold-charge.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';

/** How far the money of a judgement was checked. */
export type Checked = 'to_the_digit' | 'within_bounds' | 'not_checkable' | 'provisional';

/** The judgement of calls and records that belong together, with its share of the money. */
export interface Judgement {
  readonly calls: readonly JudgedCall[];
  readonly findings: readonly Finding[];
  /** One part a charge that is due or not by itself: a surplus charge is a part of its own. */
  readonly money: readonly JudgedMoney[];
  /** Keys of records whose change after their end is all that is wrong with the amount. */
  readonly regressed?: readonly string[];
  /** The one call and record whose charge was compared with a price. */
  readonly subject?: JudgedSubject;
  /** Accepted calls that are alike, besides its own; the last part of the money is theirs. Absent: none. */
  readonly stands_for?: number;
  /** Where several calls were judged by their sum. */
  readonly sum?: JudgedSum;
}

export interface JudgedSubject {
  readonly call: PaidCall;
  readonly record: ServedRecord;
  /** Null where it cannot be read. */
  readonly charge: AmountBounds | null;
  readonly expectation: Expectation;
}

/** 10⁻¹² USD. */
export interface JudgedMoney {
  /** Null where it cannot be read, which is never 0. An amount of more than 12 decimals counts with its lower bound. */
  readonly charged: PicoUsd | null;
  /** What it counts for in the coverage: what is charged, or the most that can be due where that is unknown. */
  readonly weight: PicoUsd;
  readonly checked: Checked;
  /** The right charge where it is one figure. */
  readonly due: PicoUsd | null;
  readonly certain_over: PicoUsd;
  readonly certain_under: PicoUsd;
  readonly open: PicoUsd;
}

const NO_MONEY: JudgedMoney = {
  charged: 0n,
  weight: 0n,
  checked: 'not_checkable',
  due: null,
  certain_over: 0n,
  certain_under: 0n,
  open: 0n,
};

/** Money of a charge against its bounds; `due` is given where the bounds are one figure. */
export function judgedMoney(
  charge: AmountBounds | null,
  checked: Checked,
  bounds: { readonly lo: PicoUsd; readonly hi: PicoUsd; readonly point: PicoUsd | null } | null,
): JudgedMoney {
  if (charge === null) {
    const most = bounds?.hi ?? 0n;
    return { ...NO_MONEY, charged: null, weight: most > 0n ? most : 1n };
  }
  const width = charge.hi - charge.lo;
  const known = { charged: charge.lo, weight: charge.lo > 0n ? charge.lo : 0n };
  if (bounds === null) return { ...NO_MONEY, ...known, checked, open: width };
  return {
    ...known,
    checked,
    due: width === 0n ? bounds.point : null,
    certain_over: charge.lo > bounds.hi ? charge.lo - bounds.hi : 0n,
    certain_under: charge.hi < bounds.lo ? bounds.lo - charge.hi : 0n,
    open: width + (bounds.point === null ? bounds.hi - bounds.lo : 0n),
  };
}

/** Money of a charge that its record does not tell enough of: what lies in the bounds is open, the rest is certain. */
export function untoldMoney(charge: AmountBounds, { lo, hi }: UntoldCharge): JudgedMoney {
  if (charge.hi <= 0n) return judgedMoney(charge, 'not_checkable', null);
  const known = judgedMoney(charge, 'not_checkable', { lo, hi: hi ?? charge.hi, point: null });
  return { ...known, open: charge.lo - known.certain_over + known.certain_under };
}

/** A charge that should not be there at all. */
export function surplusMoney(charge: AmountBounds | null): JudgedMoney {
  const checked = charge === null || exactOf(charge) !== null ? 'to_the_digit' : 'within_bounds';
  return judgedMoney(charge, checked, { lo: 0n, hi: 0n, point: 0n });
}
