import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { FaultClass } from '../../contracts/fault-class.ts';
import type { Warrant } from '../../contracts/warrant.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { formatInstant } from '../../core/time.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { declaration, habit } from './warrants.ts';

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

/** True where the user told how long it may take: the interface names no time, so the default deadline is none. */
export function isDeadlineDeclared(
  { terms }: Pick<JudgeContext, 'terms'>,
  faultClass: FaultClass,
  call: { readonly kind: PaidKind; readonly text: boolean } | null,
): boolean {
  return deadlineMs({ terms }, faultClass, call) !== deadlineMs({ terms: NO_TERMS }, faultClass, call);
}

/**
 * What lets a record be called late: a deadline of the user's, or that the other records of its model were final by
 * then, but for those that are held and `missing` ones. Null: it can't be told.
 */
export function latenessWarrant(
  context: Pick<JudgeContext, 'terms' | 'sweep'>,
  faultClass: FaultClass,
  call: { readonly kind: PaidKind; readonly text: boolean } | null,
  model: string,
  missing = 0,
): Warrant | null {
  const ms = deadlineMs(context, faultClass, call);
  if (isDeadlineDeclared(context, faultClass, call)) return declaration('billing.deadlines');
  const { final, held } = recordsOf(context.sweep, model);
  const late = held.filter(
    ({ created_at, read_ms }) => created_at !== null && read_ms >= created_at * 1000 + ms,
  );
  const exceptions = late.length + missing;
  return habit(`records of ${model} are final by then`, { telling: final + exceptions, exceptions });
}

interface ModelRecords {
  final: number;
  readonly held: ServedRecord[];
}

const counted = new WeakMap<JudgeContext['sweep'], Map<string, ModelRecords>>();

/** How many records of a model are final, those that were accepted in SQL too, and which still hold a reserve. */
function recordsOf(sweep: JudgeContext['sweep'], model: string): ModelRecords {
  let byModel = counted.get(sweep);
  if (byModel === undefined) {
    byModel = new Map<string, ModelRecords>();
    counted.set(sweep, byModel);
    for (const part of sweep.accepted) countOf(byModel, part.model).final += part.records;
    for (const record of sweep.records) {
      const own = countOf(byModel, record.asked_model);
      if (record.role === 'pending') own.held.push(record);
      else own.final += 1;
    }
  }
  return countOf(byModel, model);
}

function countOf(byModel: Map<string, ModelRecords>, model: string): ModelRecords {
  const own = byModel.get(model) ?? { final: 0, held: [] };
  byModel.set(model, own);
  return own;
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
