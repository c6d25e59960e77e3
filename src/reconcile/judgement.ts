import type { PicoUsd } from '../core/amount.ts';
import type { Finding } from '../core/finding.ts';
import type { JudgedCall } from '../core/reconciliation.ts';

/** How far the money of a judgement was checked. */
export type Checked = 'to_the_digit' | 'within_bounds' | 'not_checkable' | 'provisional';

/** The judgement of calls and records that belong together, with its share of the money. */
export interface Judgement {
  readonly calls: readonly JudgedCall[];
  readonly findings: readonly Finding[];
  /** One part a charge that is due or not by itself: a surplus charge is a part of its own. */
  readonly money: readonly JudgedMoney[];
}

/** 10⁻¹² USD. */
export interface JudgedMoney {
  readonly charged: PicoUsd;
  readonly checked: Checked;
  /** The right charge where it is one figure. */
  readonly due: PicoUsd | null;
  readonly certain_over: PicoUsd;
  readonly certain_under: PicoUsd;
  readonly open: PicoUsd;
}

export const NO_MONEY: JudgedMoney = {
  charged: 0n,
  checked: 'not_checkable',
  due: null,
  certain_over: 0n,
  certain_under: 0n,
  open: 0n,
};

/** Money of a charge against its bounds; `due` is given where the bounds are one figure. */
export function judgedMoney(
  charged: PicoUsd,
  checked: Checked,
  bounds: { readonly lo: PicoUsd; readonly hi: PicoUsd; readonly point: PicoUsd | null } | null,
): JudgedMoney {
  if (bounds === null) return { ...NO_MONEY, charged, checked };
  return {
    charged,
    checked,
    due: bounds.point,
    certain_over: charged > bounds.hi ? charged - bounds.hi : 0n,
    certain_under: charged < bounds.lo ? bounds.lo - charged : 0n,
    open: bounds.point === null ? bounds.hi - bounds.lo : 0n,
  };
}

/** A charge that should not be there at all. */
export function surplusMoney(charged: PicoUsd): JudgedMoney {
  return judgedMoney(charged, 'to_the_digit', { lo: 0n, hi: 0n, point: 0n });
}
