import type { PaidCall } from '../records/paid-call.ts';
import { recordDue } from '../records/record-due.ts';
import { isServerError } from '../records/server-error.ts';
import type { BillingSettings } from './billing-settings.ts';
import type { MatchedGroup } from './cache-semantics.ts';
import { chargeOf, isCharging } from './charge.ts';

/** How an attempt ended that gave no answer: by the target's own word, or in a connection that was lost. */
export type RetriedAttempt = 'failed' | 'lost';

/**
 * Attempts without an answer that were charged, by call id, though a later attempt of the same call was answered and
 * charged too. Neither end proves that nothing was generated, or charged (interface §7). A client that gave up by itself
 * or saw some output is none of these.
 */
export function retriedCalls(
  matched: readonly MatchedGroup[],
  settings: BillingSettings,
): ReadonlyMap<string, RetriedAttempt> {
  const charged = matched.filter(({ records }) =>
    records.some((record) => {
      const charge = isCharging(record) ? chargeOf(record, settings) : null;
      return charge !== null && charge.lo > 0n;
    }),
  );
  const retried = new Map<string, RetriedAttempt>();
  for (const attempts of Map.groupBy(charged, ({ call }) => call.logical_id).values()) {
    const answered = attempts.filter(({ call }) => call.outcome === 'ok').map(({ call }) => call.attempt);
    const last = Math.max(...answered);
    for (const { call } of attempts) {
      const ended = endOf(call);
      if (ended !== null && call.attempt < last) retried.set(call.call_id, ended);
    }
  }
  return retried;
}

function endOf(call: PaidCall): RetriedAttempt | null {
  if (isServerError(call)) return 'failed';
  const lost =
    call.outcome === 'net_error' && recordDue(call) === 'may' && (call.row?.status ?? null) === null;
  return lost ? 'lost' : null;
}
