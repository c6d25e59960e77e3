import type { Finding } from '../../contracts/finding.ts';
import { type AmountBounds, chargeOf, chargeText, deltaOf, exactly, isZero } from '../expect/charge.ts';
import type { Expectation } from '../expect/expected-charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { isRecordCall } from '../match/record-calls.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { deadlineMs, latenessWarrant, waitOfRecord } from './deadline.ts';
import { evidenceOf } from './evidence-of.ts';
import { boundsOf } from './judged-call.ts';
import { makeFinding } from './make-finding.ts';
import { WARRANTS } from './warrants.ts';
import { WORDING } from './wording.ts';

/** A record that still holds its reserve; it costs what it holds beyond what is due for the call. */
export function heldReserve(
  context: JudgeContext,
  record: ServedRecord,
  call: PaidCall | null,
  expectation: Expectation | null,
): readonly Finding[] {
  if (record.role !== 'pending') return [];
  const wait = waitOfRecord(context, 'reservation_leak', call, record);
  const minutes = deadlineMs(context, 'reservation_leak', call) / 60_000;
  const delta = beyondDue(record, call, expectation);
  const { lo, hi, text } = record.reserved;
  const held = lo === null || hi === null ? `${text} USD` : chargeText({ lo, hi });
  const late = wait.provisional
    ? null
    : latenessWarrant(context, 'reservation_leak', call, record.asked_model);
  return [
    makeFinding({
      class: 'reservation_leak',
      rule: 'pending_past_deadline',
      warrant: late ?? WARRANTS.records_requests,
      ...(wait.provisional || late !== null ? {} : { severity: 'S4' as const }),
      confidence: typeof delta === 'bigint' || delta === null ? 'proved' : 'bounded',
      delta,
      ...(isNeverUnder(delta, hi) ? { direction: 'over' as const } : {}),
      evidence: evidenceOf(record, call),
      request_id: record.request_id === '' ? null : record.request_id,
      call_id: call?.call_id ?? null,
      model: record.model,
      explanation: `Record ${record.id} still holds ${held}; ${dueText(call, expectation)}; ${
        wait.provisional
          ? 'it may settle yet'
          : late === null
            ? 'whether its time to settle has passed, nobody told'
            : 'its time to settle has passed'
      } (${minutes} minutes after the call ended).`,
      next_step: wait.provisional
        ? 'Read again later.'
        : late === null
          ? 'Ask the operator by when a call is settled, and set billing.deadlines to it.'
          : 'Ask the operator when the reserve comes back, with the request id.',
      bridge: 'held',
      ...wait,
    }),
  ];
}

function beyondDue(
  record: ServedRecord,
  call: PaidCall | null,
  expectation: Expectation | null,
): ReturnType<typeof deltaOf> | null {
  const { lo, hi } = record.reserved;
  if (lo === null || hi === null) return null;
  const due = dueOf(call, expectation);
  return due === null ? { min: 0n, max: hi } : deltaOf({ lo, hi }, due);
}

/** What is held is too much, unless it may be less than is due: then it leans to no side. */
function isNeverUnder(delta: ReturnType<typeof beyondDue>, held: bigint | null): boolean {
  const least = typeof delta === 'bigint' ? delta : (delta?.min ?? 0n);
  return held !== null && held > 0n && least >= 0n;
}

/** A task that its client never saw end, and that waits past its time, was not carried out: nothing is due for it. */
function dueOf(call: PaidCall | null, expectation: Expectation | null): AmountBounds | null {
  const isLost = call?.outcome === 'timeout_task' || call?.outcome === 'task_lost';
  if (call !== null && isLost && !call.text && !isRecordCall(call.call_id)) return exactly(0n);
  const bounds = expectation === null ? null : boundsOf(expectation);
  return bounds === null ? null : bounds.point === null ? bounds : exactly(bounds.point);
}

function dueText(call: PaidCall | null, expectation: Expectation | null): string {
  const due = dueOf(call, expectation);
  return due === null ? 'what is due is not known' : `we compute ${chargeText(due)} for its call`;
}

/** A record whose status tells nothing about its charge, and which shows none. */
export function unknownRecord(
  context: JudgeContext,
  record: ServedRecord,
  call: PaidCall | null,
): readonly Finding[] {
  if (record.role !== 'unknown' || record.malformed.includes('billing_status')) return [];
  const charge = chargeOf(record, context.settings);
  if (charge === null || !isZero(charge)) return [];
  const wait = waitOfRecord(context, 'unknown_records', call, record);
  const { lo, text } = record.reserved;
  return [
    makeFinding({
      class: 'unknown_records',
      rule: 'status_unknown',
      severity: 'S4',
      warrant: WARRANTS.records,
      confidence: 'proved',
      delta: null,
      evidence: evidenceOf(record, call),
      request_id: record.request_id === '' ? null : record.request_id,
      call_id: call?.call_id ?? null,
      model: record.model,
      ...WORDING.unknown_record({
        id: record.id,
        status: record.billing_status,
        reserved: lo === null ? JSON.stringify(text) : signedUsdText(lo),
        late: !wait.provisional,
      }),
      ...wait,
    }),
  ];
}
