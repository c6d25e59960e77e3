import type { JudgedCall, Reconciliation } from '../contracts/reconciliation.ts';
import { type PicoUsd, parseAmount } from '../core/amount.ts';

/** What paid calls cost, by the bill. */
export interface CallCosts {
  /** By call id; null where neither the charge nor the price is known. */
  readonly single: ReadonlyMap<string, CallCost | null>;
  /** Calls charged together, of which nothing tells whose part is how large. */
  readonly shared: readonly SharedCost[];
}

export interface CallCost {
  readonly amount: PicoUsd;
  /** True where it is an upper bound. */
  readonly at_most: boolean;
}

interface SharedCost extends CallCost {
  readonly call_ids: ReadonlySet<string>;
}

/**
 * What is charged, or what should be where the charge is not known or may still change; of a price known only within
 * bounds the upper one. A call for which no record is due costs nothing.
 */
export function callCosts({ calls, sums }: Pick<Reconciliation, 'calls' | 'sums'>): CallCosts {
  const single = new Map<string, CallCost | null>();
  for (const call of calls) {
    if (call.call_id !== null) single.set(call.call_id, costOf(call));
  }
  const shared = sums.flatMap(({ call_ids, charged }) => {
    const amount = parseAmount(charged);
    // Without a sum each call stays with its own bound.
    return amount === null ? [] : [{ call_ids: new Set(call_ids), amount, at_most: false }];
  });
  return { single, shared };
}

function costOf({ charged, expected, expected_hi, verdict }: JudgedCall): CallCost | null {
  if (verdict === 'not_charged') return exactly(parseAmount(charged) ?? 0n);
  const point = exactly(parseAmount(expected));
  const due = point ?? atMost(parseAmount(expected_hi));
  const paid = exactly(parseAmount(charged));
  return verdict === 'provisional' ? (due ?? paid) : (paid ?? due);
}

function exactly(amount: PicoUsd | null): CallCost | null {
  return amount === null ? null : { amount, at_most: false };
}

function atMost(amount: PicoUsd | null): CallCost | null {
  return amount === null ? null : { amount, at_most: true };
}

/**
 * The sum over calls that were sent; null where one of them has no known cost. Of calls charged together that are only
 * in part among them, no more is theirs than the common charge, and no more than their own bounds come to.
 */
export function sumCosts(callIds: readonly string[], costs: CallCosts): CallCost | null {
  const rest = new Set(callIds);
  let sum: CallCost | null = { amount: 0n, at_most: false };
  for (const shared of costs.shared) {
    const own = [...shared.call_ids].filter((id) => rest.delete(id));
    if (own.length === 0) continue;
    sum = plus(sum, own.length === shared.call_ids.size ? shared : partOf(shared, own, costs));
  }
  for (const id of rest) sum = plus(sum, costs.single.get(id) ?? null);
  return sum;
}

/** Nothing is an exact part of nothing. */
function partOf({ amount }: SharedCost, own: readonly string[], { single }: CallCosts): CallCost {
  const bounds = own.map((id) => single.get(id) ?? null);
  const bound = bounds.reduce<CallCost | null>(plus, { amount: 0n, at_most: true });
  const least = bound === null || bound.amount > amount ? amount : bound.amount;
  return { amount: least, at_most: amount !== 0n };
}

function plus(left: CallCost | null, right: CallCost | null): CallCost | null {
  if (left === null || right === null) return null;
  return { amount: left.amount + right.amount, at_most: left.at_most || right.at_most };
}
