import type { PaidKind } from '../core/call-kind.ts';

/** How long the target may take to post and settle the record of a call before its absence is a finding. */
export const TEXT_DEADLINE_MS = 15 * 60_000;
export const TASK_DEADLINE_MS = 24 * 3_600_000;

/** A record may come late even where none is due for certain: this long it is waited for. */
export const CUT_GRACE_MS = 10_000;

export function deadlineOf(kind: PaidKind | null, text: boolean): number {
  return text || kind === 'image' || kind === 'image_edit' ? TEXT_DEADLINE_MS : TASK_DEADLINE_MS;
}
