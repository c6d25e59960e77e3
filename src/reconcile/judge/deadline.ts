import type { FaultClass } from '../../contracts/fault-class.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { formatInstant } from '../../core/time.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';

/** A record may come late even where none is due for certain: this long it is waited for. */
export const CUT_GRACE_MS = 10_000;

/**
 * How long after the end of a call a finding of the class may still turn out untrue: its own deadline where the terms
 * name one, else that of refunds, or of the kind of call. Null: a record without a call, which may be a task's.
 */
export function deadlineMs(
  { terms }: Pick<JudgeContext, 'terms'>,
  faultClass: FaultClass,
  call: { readonly kind: PaidKind; readonly text: boolean } | null,
): number {
  const { by_class, text_ms, task_ms, refund_ms } = terms.deadlines;
  const own = by_class[faultClass];
  if (own !== undefined) return own;
  if (faultClass === 'failed_task_not_refunded') return refund_ms;
  const quick = call !== null && (call.text || call.kind === 'image' || call.kind === 'image_edit');
  return quick ? text_ms : task_ms;
}

/** Whether a finding is final by what was read, as the fields of a finding tell it. */
export interface Wait {
  readonly provisional: boolean;
  /** RFC 3339 UTC; null once it has passed. */
  readonly deadline_at: string | null;
}

/** `asOfMs`: when the target last served what the finding tells of; a read of something else says nothing about it. */
export function waitOf(
  context: JudgeContext,
  faultClass: FaultClass,
  call: { readonly kind: PaidKind; readonly text: boolean } | null,
  { sinceMs, asOfMs }: { readonly sinceMs: number; readonly asOfMs: number },
): Wait {
  const ms = deadlineMs(context, faultClass, call);
  return asOfMs >= sinceMs + ms
    ? { provisional: false, deadline_at: null }
    : { provisional: true, deadline_at: formatInstant(sinceMs + ms) };
}

/** The wait for a record to change, from the end of its call; of a record without a call from its creation. */
export function waitOfRecord(
  context: JudgeContext,
  faultClass: FaultClass,
  call: PaidCall | null,
  record: ServedRecord,
): Wait {
  const sinceMs = call?.ended_ms ?? (record.created_at ?? 0) * 1000;
  return waitOf(context, faultClass, call, { sinceMs, asOfMs: record.read_ms });
}

/** When the target was last seen to have no record of the call: by the judged sweep, or asked for the call alone. */
export function soughtMs({ sweep }: JudgeContext, call: PaidCall): number {
  return call.request_ids.reduce(
    (last, id) => Math.max(last, sweep.asked_ms.get(id) ?? last),
    sweep.began_ms ?? Number.NEGATIVE_INFINITY,
  );
}
