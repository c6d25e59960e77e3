import type { CompletenessResult, CoverageResult } from '../../contracts/coverage-result.ts';
import type { FaultClass } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { JudgedCall, WantedRead } from '../../contracts/reconciliation.ts';
import { ARCHIVED_READS, type ReadLine } from '../../contracts/usage-lines.ts';
import { parseInstant } from '../../core/time.ts';
import { isWhole } from '../../ledger/ledger-problem.ts';
import type { BillingSettings } from '../expect/billing-settings.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { acceptedOfSweep, type JudgedSweep, ofSweep } from '../input/judged-sweep.ts';
import type { ReconcileInput } from '../input/reconcile-input.ts';
import { CUT_GRACE_MS, deadlineMs, soughtMs } from '../judge/deadline.ts';
import { NOT_PROVED, STRANGERS } from '../judge/judge-missing.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { recordDue } from '../records/record-due.ts';
import { type ComparedTotals, compareTotals, type TotalsTerms } from '../records/totals-disagreements.ts';
import { nothingCheckedReason, uncheckedReason } from './coverage/not-checkable.ts';

/** What was read, and whether it is proved to be all. */
export function completenessOf(
  input: ReconcileInput,
  { sweep }: JudgeContext,
  { totals }: ComparedTotals,
  calls: readonly PaidCall[],
): CompletenessResult {
  const ofJudged = input.reads.filter((read) => read.sweep === sweep.sweep);
  const reasons = ofJudged.flatMap((read) => (read.read === 'sweep_end' ? read.reasons : []));
  const problems = input.ledger.problems.map(({ line, what }) => `ledger line ${line}: ${what}`);
  const records = totals?.total.records ?? null;
  return {
    complete: sweep.complete !== null && isWhole(input.ledger),
    pages: ofJudged.filter(({ read, purpose }) => read === 'records' && (purpose ?? 'sweep') === 'sweep')
      .length,
    records: sweep.accepted.reduce((sum, part) => sum + part.records, sweep.swept.length),
    totals_records: records === null ? null : Number(records),
    reads: input.reads.filter(({ read }) => !NO_READ.has(read)).length,
    last_read_at: sweep.last_read_at,
    open_calls: calls.filter(({ row }) => row === null).length,
    reasons: [...new Set([...reasons, ...problems])].sort(),
    proved: sweep.proof.proved,
    leaves: sweep.proof.leaves.map(({ start, end, model, figure, totals: told, records: own, stable }) => ({
      start,
      end,
      model,
      figure,
      totals: told,
      records: own,
      stable,
    })),
    hazards: sweep.proof.hazards,
  };
}

const NO_READ: ReadonlySet<ReadLine['read']> = new Set(['sweep_end', ...ARCHIVED_READS]);

/** That no sweep is complete, and what broke the last one; of several reasons the first, the report lists all. */
export function incompleteText(reads: readonly ReadLine[]): string {
  const [first, ...more] = reads.findLast(({ read }) => read === 'sweep_end')?.reasons ?? [];
  const why = first === undefined ? '' : `: ${first}${more.length === 0 ? '' : `, and ${more.length} more`}`;
  return `no sweep of the usage records is complete${why}`;
}

/** The totals of the judged sweep against its records, and those of the whole sweep before it. */
export function comparedSweeps(
  input: ReconcileInput,
  own: JudgedSweep,
  { amount_meaning, amount_established }: BillingSettings,
): { readonly judged: ComparedTotals; readonly before: ComparedTotals | null } {
  const terms: TotalsTerms = {
    declared: input.terms.readings,
    meanings: amount_established ? [amount_meaning] : ['net', 'gross'],
  };
  function compared(of: number | null): ComparedTotals {
    const lines = input.totals.filter((line) => line.sweep === of);
    return compareTotals(lines, ofSweep(own.versions, of, input.reads), acceptedOfSweep(input, of), terms);
  }
  const earlier = input.reads
    .filter((read) => read.read === 'sweep_end' && read.complete === true && read.sweep < (own.sweep ?? 0))
    .map((read) => read.sweep);
  const judged = compareTotals(own.totals, own.swept, own.accepted, terms);
  return { judged, before: earlier.length === 0 ? null : compared(Math.max(...earlier)) };
}

/** Why nothing can be concluded from this audit; empty where it can. */
export function inconclusiveReasons(
  { sweep, shelf, settings }: JudgeContext,
  calls: readonly JudgedCall[],
  coverage: CoverageResult,
  {
    gated,
    min_checked,
    unreadable,
  }: { readonly gated: boolean; readonly min_checked: number; readonly unreadable: number },
): readonly string[] {
  const reasons: string[] = [];
  if (sweep.complete === null) reasons.push(incompleteText(sweep.reads));
  if (shelf.unreadable.length > 0) reasons.push('the price book could not be read');
  else if (shelf.latest === null) reasons.push('no price book was read');
  reasons.push(...settings.contradicted);
  if (unreadable > 0 && !gated) reasons.push(unreadableText(unreadable));
  const unproved = calls.filter(({ why }) => why === NOT_PROVED).length;
  if (unproved > 0) reasons.push(unprovedText(unproved));
  // That nothing was checked follows from it.
  if (calls.some(({ why }) => why === STRANGERS)) return [...reasons, STRANGERS_REASON];
  const judged = calls.filter(({ verdict }) => CHECKED.includes(verdict));
  const unchecked = gated ? null : uncheckedReason(coverage, min_checked);
  const seen = calls.length + sweep.records.length + sweep.accepted.length;
  if (seen === 0 && sweep.complete !== null) reasons.push(NOTHING_THERE);
  else if (judged.length === 0) reasons.push(nothingCheckedReason(coverage));
  else if (unchecked !== null) reasons.push(unchecked);
  return reasons;
}

/** Verdicts that rest on a charge; a call that was refused and not charged proves nothing about prices. */
const CHECKED: readonly JudgedCall['verdict'][] = ['to_the_digit', 'within_bounds', 'finding'];

const NOTHING_THERE = 'there is nothing to check: no call, and no usage record of this key in that time';

const STRANGERS_REASON =
  'no call of this ledger has a record: see whether key, target and time are those of the calls';

function unreadableText(count: number): string {
  return count === 1
    ? 'the amount of 1 record could not be read'
    : `the amounts of ${count} records could not be read`;
}

function unprovedText(count: number): string {
  const whose = count === 1 ? '1 call has no record' : `${count} calls have no record`;
  return `${whose}, and it is not proved that the records of that time were read whole`;
}

/** Above this many stragglers one sweep is cheaper than a read each. */
const MOST_REQUEST_READS = 20;

/** What a further sweep may still show changed, by the finding that awaits it. */
const AWAITED: { readonly [C in FaultClass]?: string } = {
  reservation_leak: 'reservations are pending',
  failed_task_not_refunded: 'refunds are awaited',
  unknown_records: 'records say that their state is unknown',
};

/** Past its deadline nothing is read again for it: it stays open by the word of nobody. */
function isAwaited({ class: name, deadline_at }: Finding): boolean {
  return AWAITED[name] !== undefined && deadline_at !== null;
}

/** The reads that may still change the judgement: one sweep, or single request ids that a sweep did not show. */
export function wantedReads(
  context: JudgeContext,
  reads: readonly ReadLine[],
  missing: readonly PaidCall[],
  findings: readonly Finding[],
): readonly WantedRead[] {
  const { sweep } = context;
  if (sweep.complete === null) return [{ read: 'sweep', why: 'no sweep of the usage records is complete' }];
  const moving = findings.find((finding) => finding.provisional && (isAwaited(finding) || isTotals(finding)));
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
