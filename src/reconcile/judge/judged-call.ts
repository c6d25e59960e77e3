import type { JudgedCall } from '../../contracts/reconciliation.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { type AmountBounds, exactText } from '../expect/charge.ts';
import type { Expectation, Expected } from '../expect/expected-charge.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';

export function boundsOf(
  expectation: Expectation,
): { readonly lo: PicoUsd; readonly hi: PicoUsd; readonly point: PicoUsd | null } | null {
  if ('unknown' in expectation) return null;
  return { lo: lowest(expectation), hi: expectation.hi, point: expectation.point };
}

export function lowest(expected: Expected): PicoUsd {
  return expected.zero_allowed ? 0n : expected.lo;
}

/** The line of a call in the list of judged calls. */
export function judgedCall(
  call: PaidCall,
  records: readonly ServedRecord[],
  match: JudgedCall['match'],
  judged: {
    readonly expectation: Expectation;
    readonly charge: AmountBounds | null;
    readonly verdict: JudgedCall['verdict'];
    readonly why: string;
    readonly score?: number;
    readonly match_why?: string;
    readonly record?: ServedRecord;
  },
): JudgedCall {
  const { expectation } = judged;
  const known = 'unknown' in expectation ? null : expectation;
  const untold = 'unknown' in expectation ? expectation.untold : undefined;
  return {
    call_id: call.call_id,
    kind: call.kind,
    model: call.model,
    request_id: call.row?.request_id ?? records[0]?.request_id ?? call.request_ids[0] ?? null,
    record_ids: records.map(({ id }) => id),
    match,
    score: judged.score ?? (records.length > 0 && match !== 'cluster' ? 1 : 0),
    match_why: judged.match_why ?? '',
    basis: known === null ? 'none' : 'client',
    grade: known?.grade ?? null,
    tier: known?.tier ?? null,
    started_at: call.started_at,
    outcome: call.outcome,
    expected: textOf(known?.point ?? null),
    expected_lo: textOf(known === null ? (untold?.lo ?? null) : lowest(known)),
    expected_hi: textOf(known?.hi ?? untold?.hi ?? null),
    charged: exactText(judged.charge),
    verdict: judged.verdict,
    lines: known?.lines ?? [],
    why: judged.why,
    row: call.row,
    record: match === 'cluster' ? null : (judged.record ?? records[0] ?? null),
    ...(match === 'cluster' || records.length === 0 ? {} : { records }),
  };
}

function textOf(amount: PicoUsd | null): string | null {
  return amount === null ? null : formatAmount(amount);
}
