import type { PaidKind } from '../../core/call-kind.ts';
import type { FaultClass } from '../../core/fault-class.ts';
import { formatInstant } from '../../core/time.ts';
import { hasPassed, type JudgeContext } from './judge-context.ts';

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

/** Whether a finding is final by the last read, as the fields of a finding tell it. */
export interface Wait {
  readonly provisional: boolean;
  /** RFC 3339 UTC; null once it has passed. */
  readonly deadline_at: string | null;
}

export function waitOf(
  context: JudgeContext,
  faultClass: FaultClass,
  call: { readonly kind: PaidKind; readonly text: boolean } | null,
  sinceMs: number,
): Wait {
  const ms = deadlineMs(context, faultClass, call);
  return hasPassed(context, sinceMs, ms)
    ? { provisional: false, deadline_at: null }
    : { provisional: true, deadline_at: formatInstant(sinceMs + ms) };
}
