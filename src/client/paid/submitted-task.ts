import type { CallRow } from '../../contracts/ledger-lines.ts';
import { BLAME_OF } from '../../contracts/outcome.ts';
import type { Answered } from './call-sender.ts';
import { verdictOf } from './judgement.ts';
import type { TaskCall } from './paid-call.ts';
import type { SubmittedTask } from './paid-result.ts';
import { resultOfCall } from './result-of-call.ts';
import type { TaskEnd } from './task-end.ts';
import { failedEnd, idFault, readTask } from './task-reading.ts';

/** What became of a submit: an accepted task, or the last word on one that is none. */
export function submittedTask(call: TaskCall, { row, seen, told, scrub }: Answered): SubmittedTask {
  const result = resultOfCall(row, seen, told);
  const nothing = { id: null, statuses: [], queue_ms: null, run_ms: null, polls: 0 };
  if (told.outcome !== 'ok') return { ...result, row: { ...row, job: nothing }, task: null };
  const read = readTask(call.kind, told.document, scrub);
  const fault = idFault(call.kind, read.id, scrub);
  const statuses = read.status === null ? [] : [read.status];
  const job = { ...nothing, id: fault === null ? read.id : null, statuses };
  const broken_rules = [...result.broken_rules, ...read.broken_rules];
  const end: TaskEnd | null =
    fault !== null
      ? { outcome: 'bad_response', error_type: 'schema_mismatch', error_code: null, message: fault }
      : read.status === 'failed'
        ? failedEnd(read)
        : null;
  if (end !== null || read.id === null) {
    const over = end === null ? row : endedRow(row, end);
    const verdict = verdictOf(over.error_type, broken_rules);
    return { ...result, row: { ...over, job }, broken_rules, verdict, task: null };
  }
  const { call_id, logical_id, scenario } = row;
  return {
    ...result,
    row: { ...row, job },
    broken_rules,
    task: {
      kind: call.kind,
      id: read.id,
      model: call.model,
      call_id,
      logical_id,
      scenario,
      timeouts: call.timeouts,
      status: read.status,
      reads: 0,
    },
  };
}

/** A row with another ending than its own answer gave it. */
export function endedRow(row: CallRow, { outcome, error_type, error_code, message }: TaskEnd): CallRow {
  return { ...row, outcome, error_type, blame: BLAME_OF[error_type], error_code, error_message: message };
}
