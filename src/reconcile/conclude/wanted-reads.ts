import type { FaultClass } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { WantedRead } from '../../contracts/reconciliation.ts';
import type { ReadLine } from '../../contracts/usage-lines.ts';
import { parseInstant } from '../../core/time.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { CUT_GRACE_MS, deadlineMs, soughtMs } from '../judges/deadline.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { recordDue } from '../records/record-due.ts';

/** Above this many stragglers one sweep is cheaper than a read each. */
const MOST_REQUEST_READS = 20;

/** What a further sweep may still show changed, by the finding that awaits it. */
const AWAITED: { readonly [C in FaultClass]?: string } = {
  reservation_leak: 'reservations are pending',
  failed_task_not_refunded: 'refunds are awaited',
  unknown_records: 'records say that their state is unknown',
};

/** The reads that may still change the judgement: one sweep, or single request ids that a sweep did not show. */
export function wantedReads(
  context: JudgeContext,
  reads: readonly ReadLine[],
  missing: readonly PaidCall[],
  findings: readonly Finding[],
): readonly WantedRead[] {
  const { sweep } = context;
  if (sweep.complete === null) return [{ read: 'sweep', why: 'no sweep of the usage records is complete' }];
  const moving = findings.find(
    (finding) => finding.provisional && (AWAITED[finding.class] !== undefined || isTotals(finding)),
  );
  if (moving !== undefined) {
    const why = isTotals(moving) ? 'totals and records moved between their reads' : AWAITED[moving.class];
    return [{ read: 'sweep', why: why ?? '' }];
  }
  const asked = requestsRead(reads, sweep.swept_ms ?? 0);
  const waiting = missing.filter((call) => awaits(context, call));
  const overdue = missing.filter((call) => recordDue(call) === 'must' && !awaits(context, call));
  const single = [...waiting, ...overdue].filter(
    (call) => idOf(call) !== null && !asked.has(idOf(call) ?? ''),
  );
  const singles = new Set(single);
  const swept = waiting.filter((call) => !singles.has(call));
  if (swept.length > 0 || single.length > MOST_REQUEST_READS) {
    const count = swept.length > 0 ? waiting.length : single.length;
    return [
      { read: 'sweep', why: count === 1 ? '1 call waits for a record' : `${count} calls wait for a record` },
    ];
  }
  return single
    .map((call) => idOf(call) ?? '')
    .sort()
    .map((request_id) => ({ read: 'request', request_id, why: 'the last sweep did not show its record' }));
}

/** A call that succeeded waits its whole deadline; any other only as long as a late record is likely. */
function awaits(context: JudgeContext, call: PaidCall): boolean {
  const due = recordDue(call);
  if (due === 'never') return false;
  const wait = due === 'must' ? deadlineMs(context, 'unrecorded_request', call) : CUT_GRACE_MS;
  return soughtMs(context, call) < call.ended_ms + wait;
}

function requestsRead(reads: readonly ReadLine[], sinceMs: number): ReadonlySet<string> {
  const after = reads.filter(
    ({ read, read_at }) => read === 'request' && (parseInstant(read_at) ?? 0) >= sinceMs,
  );
  return new Set(after.flatMap(({ request_id }) => (request_id === null ? [] : [request_id])));
}

function idOf(call: PaidCall): string | null {
  return call.request_ids[0] ?? null;
}

function isTotals(finding: Finding): boolean {
  return finding.evidence.some((evidence) => evidence.startsWith('totals:'));
}
