import type { Finding } from '../../contracts/finding.ts';
import type { JudgedCall, JudgedSum } from '../../contracts/reconciliation.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { type AmountBounds, exactOf } from '../expect/charge.ts';
import type { Expectation } from '../expect/expected-charge.ts';
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

/** 10⁻¹² USD. Each part obeys charged = due (0 where null) + certain_over − certain_under + open. */
export interface JudgedMoney {
  /** Null where it cannot be read, which is never 0. An amount of more than 12 decimals counts with its lower bound. */
  readonly charged: PicoUsd | null;
  /** What it counts for in the coverage: what is charged, or the most that can be due where that is unknown. */
  readonly weight: PicoUsd;
  readonly checked: Checked;
  /** The right charge where it is one figure. */
  readonly due: PicoUsd | null;
  /** What is charged above the most that can be due. */
  readonly certain_over: PicoUsd;
  /** What is charged below the least that can be due. */
  readonly certain_under: PicoUsd;
  /** What is charged and may be due, where the right charge is no one figure. */
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

/** Bounds without a `point` are not known to be one figure; `hi` is null where nothing bounds it. */
interface DueBounds {
  readonly lo: PicoUsd;
  readonly hi: PicoUsd | null;
  readonly point: PicoUsd | null;
}

/** Splits a charge into what is due, what is certainly too much or too little, and what can't be told. */
export function judgedMoney(
  charge: AmountBounds | null,
  checked: Checked,
  bounds: DueBounds | null,
): JudgedMoney {
  if (charge === null) {
    const most = bounds?.hi ?? 0n;
    return { ...NO_MONEY, charged: null, weight: most > 0n ? most : 1n };
  }
  const charged = charge.lo;
  const due = bounds !== null && charge.lo === charge.hi ? bounds.point : null;
  const least = due ?? bounds?.lo ?? null;
  const most = due ?? bounds?.hi ?? null;
  const certain_over = most !== null && charge.lo > most ? charge.lo - most : 0n;
  const certain_under = least !== null && charge.hi < least ? least - charge.hi : 0n;
  return {
    charged,
    weight: charged > 0n ? charged : 0n,
    checked,
    due,
    certain_over,
    certain_under,
    open: charged - (due ?? 0n) - certain_over + certain_under,
  };
}

/** A charge that should not be there at all. */
export function surplusMoney(charge: AmountBounds | null): JudgedMoney {
  const checked = charge === null || exactOf(charge) !== null ? 'to_the_digit' : 'within_bounds';
  return judgedMoney(charge, checked, { lo: 0n, hi: 0n, point: 0n });
}
