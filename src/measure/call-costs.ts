import { type PicoUsd, parseAmount } from '../core/amount.ts';
import type { JudgedCall } from '../core/reconciliation.ts';

/** USD of each paid call by its id; null where neither its charge nor its price is known. */
export type CallCosts = ReadonlyMap<string, PicoUsd | null>;

/**
 * What is charged, or what should be where the charge is not known or may still change; of a price known only within
 * bounds the upper one. A call for which no record is due costs nothing.
 */
export function callCosts(calls: readonly JudgedCall[]): CallCosts {
  const costs = new Map<string, PicoUsd | null>();
  for (const call of calls) {
    if (call.call_id !== null) costs.set(call.call_id, costOf(call));
  }
  return costs;
}

function costOf({ charged, expected, expected_hi, verdict }: JudgedCall): PicoUsd | null {
  if (verdict === 'not_charged') return parsed(charged) ?? 0n;
  const due = parsed(expected) ?? parsed(expected_hi);
  return verdict === 'provisional' ? (due ?? parsed(charged)) : (parsed(charged) ?? due);
}

function parsed(text: string | null): PicoUsd | null {
  return text === null ? null : parseAmount(text);
}

/** The sum over calls that were sent; null where one of them has no known cost. */
export function sumCosts(callIds: readonly string[], costs: CallCosts): PicoUsd | null {
  let sum = 0n;
  for (const id of callIds) {
    const cost = costs.get(id) ?? null;
    if (cost === null) return null;
    sum += cost;
  }
  return sum;
}
