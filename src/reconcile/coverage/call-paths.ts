import { isNotOurs } from '../../contracts/match-pass.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import type { JudgedCall } from '../../contracts/reconciliation.ts';
import { isTextKind, PAID_KINDS, type PaidKind } from '../../core/call-kind.ts';
import type { Judgement } from '../judges/judgement.ts';
import type { ExercisedTally } from './exercised-tally.ts';

/** Ends of a call that are charged by rules of their own. */
const TEXT_ENDS: readonly Outcome[] = ['ok', 'http_error', 'stream_error', 'truncated', 'aborted'];
const MEDIA_ENDS: readonly Outcome[] = ['ok', 'http_error'];
const TASK_ENDS: readonly Outcome[] = ['ok', 'http_error', 'task_failed', 'timeout_task'];
const TASK_KINDS: readonly PaidKind[] = ['image_job', 'image_edit_job', 'video'];

const REST_BACK = 'the reserve above the charge given back';
const ALL_BACK = 'the reserve of a failed call given back';
const TASK_BACK = 'the charge of a failed task given back';

/** Cache use by model, formats by outcome, and the ways in which money came back. */
export function tallyPaths(tally: ExercisedTally, judgements: readonly Judgement[]): void {
  const kinds = new Set<PaidKind>();
  for (const judgement of judgements) {
    const count = 1 + (judgement.stands_for ?? 0);
    for (const call of judgement.calls) {
      const kind = PAID_KINDS.find((each) => each === call.kind);
      // What a record alone tells is no call that anybody saw end.
      if (kind === undefined || call.row === null || isNotOurs(call.match)) continue;
      kinds.add(kind);
      if (call.outcome !== null) tally.add('format_outcome', null, `${kind} ${call.outcome}`, count);
      if (isTextKind(kind)) tallyCache(tally, call, count);
    }
    tallyRefund(tally, judgement, count);
  }
  for (const kind of kinds) {
    for (const outcome of endsOf(kind)) tally.name('format_outcome', null, `${kind} ${outcome}`);
  }
  if (kinds.size === 0) return;
  tally.name('refund', null, REST_BACK);
  tally.name('refund', null, ALL_BACK);
  if (TASK_KINDS.some((kind) => kinds.has(kind))) tally.name('refund', null, TASK_BACK);
}

function endsOf(kind: PaidKind): readonly Outcome[] {
  if (isTextKind(kind)) return TEXT_ENDS;
  return TASK_KINDS.includes(kind) ? TASK_ENDS : MEDIA_ENDS;
}

function tallyCache(tally: ExercisedTally, { model, row }: JudgedCall, count: number): void {
  const told = { read: row?.usage?.cache_read ?? 0, write: row?.usage?.cache_write ?? 0 };
  for (const [what, tokens] of Object.entries(told)) {
    tally.add('cache', model, `cache ${what}`, tokens > 0 ? count : 0);
  }
}

/** Counted where the charge was judged: a refund that nobody compared with its call shows nothing. */
function tallyRefund(tally: ExercisedTally, { subject, calls }: Judgement, count: number): void {
  const [call] = calls;
  if (subject === undefined || call === undefined || call.row === null) return;
  if (call.verdict === 'not_checkable' || call.verdict === 'provisional') return;
  const { record } = subject;
  if ((record.refunded.exact ?? 0n) <= 0n) return;
  const task = subject.call.outcome === 'task_failed';
  if (record.role === 'refunded') tally.add('refund', null, task ? TASK_BACK : ALL_BACK, count);
  else if (record.role === 'settled') tally.add('refund', null, task ? TASK_BACK : REST_BACK, count);
}
