import type { RetryFigures } from '../contracts/load-result.ts';
import { formatAmount } from '../core/amount.ts';
import { type CallCosts, sumCosts } from './call-costs.ts';
import type { LogicalCall } from './logical-call.ts';

/** Attempts after the first of the same kind; another kind is the fallback of a route that is not offered. */
export function retryFigures(calls: readonly LogicalCall[]): RetryFigures {
  const further = calls.map(furtherAttempts).filter((count) => count > 0);
  return { calls: further.length, attempts: further.reduce((sum, count) => sum + count, 0) };
}

function furtherAttempts({ attempts }: LogicalCall): number {
  const sent = attempts.filter(({ outcome }) => outcome !== 'not_sent');
  return sent.filter(({ kind }, index) => index > 0 && sent[index - 1]?.kind === kind).length;
}

/** USD of the attempts that another one followed; null where one of their costs is not known. */
export function retriedUsd(calls: readonly LogicalCall[], costs: CallCosts): string | null {
  const ids = calls.flatMap(({ attempts, last }) =>
    attempts
      .filter((attempt) => attempt !== last && attempt.outcome !== 'not_sent')
      .map(({ call_id }) => call_id),
  );
  const sum = sumCosts(ids, costs);
  return sum === null ? null : formatAmount(sum.amount);
}
