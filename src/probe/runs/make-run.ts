import type { TaskCall, TaskKind } from '../../client/paid/paid-call.ts';
import type { SubmittedTask } from '../../client/paid/paid-result.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Probe } from '../../contracts/probe-plan.ts';
import type { DueRun, SkipReason } from '../schedule/due-run.ts';
import type { TaskJournal } from '../tasks/task-journal.ts';
import type { TaskIntent } from '../tasks/task-line.ts';
import type { LedgerDay } from './call-ledger.ts';
import { accountRun, modelsRun, pricebookRun, usageRequestsRun, usageRun } from './document-runs.ts';
import { followTask } from './follow-task.ts';
import { negativeRun } from './negative-run.ts';
import { callOf, imageRun, intendCall, type Reserved, reserve, settleRow, textRun } from './paid-run.ts';
import { endedRun, type RunStart, saidOfCall, startNow, steadyNow } from './report-run.ts';
import { INTERRUPTED, NOT_RESERVED, type RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** Makes a run of whatever api. */
export function makeRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  const { api, negative } = due.probe;
  switch (api) {
    case 'chat':
    case 'responses':
    case 'messages':
      return textRun(means, due, api);
    case 'image':
    case 'image_edit':
      return imageRun(means, due, api);
    case 'image_job':
    case 'image_edit_job':
    case 'video':
      return taskRun(means, due, api);
    case 'models':
      return modelsRun(means, due);
    case 'pricebook':
      return pricebookRun(means, due);
    case 'usage':
      return usageRun(means, due);
    case 'usage_requests':
      return usageRequestsRun(means, due);
    case 'account':
      return accountRun(means, due);
    case 'negative':
      if (negative === null) throw new RangeError(`expected what probe ${due.probe.name} must be refused`);
      return negativeRun(means, due, negative);
  }
}

/** How long a task is waited for where its probe does not say. */
const DEFAULT_TASK_MS = 1_800_000;

/**
 * Creates a task, once, and follows it to its end. What is written before and behind the request is read by the next process
 * where this one ends meanwhile: it follows the task and creates none.
 */
export async function taskRun(means: TargetMeans, due: DueRun, kind: TaskKind): Promise<RunOutcome> {
  const { probe } = due;
  if (means.tasks === null) return NOT_RESERVED.no_room;
  const asked = await reserve(means, due);
  if ('refused' in asked) return asked.refused;
  const { reserved } = asked;
  const intent = intentOf(means, due, kind);
  const refusal = await refusalToIntend(means.tasks, intent);
  if (refusal !== null) {
    // Nothing was sent for this reservation.
    await means.budget?.settle(due.id, 0n);
    return { kind: 'skipped', reason: refusal };
  }
  const day = means.ledger.today();
  const call = taskCallOf(probe, day, reserved, kind);
  try {
    await intendCall(means, reserved, day, call);
  } catch (error) {
    await means.tasks.closed(due.id, 'rejected');
    throw error;
  }
  const start = startNow(means);
  const submitted = await day.client.submitTask(call, due.signal);
  if (submitted.task === null) return refused(means, due, { start, submitted, reserved });
  const { call_id, logical_id, scenario } = submitted.task;
  const accepted_ms = steadyNow(means, start);
  const accepted = { task_id: submitted.task.id, call_id, logical_id, scenario, accepted_ms };
  await means.tasks.accepted(due.id, accepted);
  await means.submitted.keep(due.id, submitted.row);
  means.accepted(probe, accepted.task_id);
  const task = { ...intent, ...accepted };
  return followTask(means, due, { task, open: submitted.task, submitted, reserved, start }, due.signal);
}

/** Why no task is created for it: the run has had its task, or the disk takes no intent. */
async function refusalToIntend(tasks: TaskJournal, intent: TaskIntent): Promise<SkipReason | null> {
  try {
    await tasks.intend(intent);
    return null;
  } catch (error) {
    if (!(error instanceof WeighbridgeError)) throw error;
    return error.code === 'task_known' ? 'overlap' : 'budget';
  }
}

function intentOf({ clock }: TargetMeans, { id, target, probe }: DueRun, api: TaskKind): TaskIntent {
  const { size, quality, seconds } = probe;
  const now = clock.now_ms();
  const deadline_ms = now + (probe.task_timeout_ms ?? DEFAULT_TASK_MS);
  const named = { id, target: target.name, probe: probe.name, api, model: probe.model ?? '' };
  return { ...named, intended_ms: now, deadline_ms, size, quality, seconds };
}

function taskCallOf(probe: Probe, day: LedgerDay, { worst }: Reserved, kind: TaskKind): TaskCall {
  const { size, quality, seconds } = probe;
  const common = callOf(probe, day, worst);
  if (kind === 'video') return { ...common, kind, size, seconds };
  return {
    ...common,
    kind,
    size,
    quality,
    response_format: null,
    multipart: kind === 'image_edit_job',
  };
}

interface Refused {
  readonly start: RunStart;
  readonly submitted: SubmittedTask;
  readonly reserved: Reserved;
}

/** The row of the submit is the last word. An answer that was cut may have created a task: it is told as lost, and costs. */
async function refused(
  means: TargetMeans,
  due: DueRun,
  { start, submitted, reserved }: Refused,
): Promise<RunOutcome> {
  const { row, broken_rules } = submitted;
  means.ledger.rows([row]);
  const spend = await settleRow(means, reserved, {
    ...row,
    outcome: row.outcome === 'ok' ? 'task_failed' : row.outcome,
  });
  const final = spend.priced === 0n ? 'rejected' : row.outcome === 'task_failed' ? 'failed' : 'lost';
  await means.tasks?.closed(due.id, final);
  if (row.outcome === 'interrupted') return INTERRUPTED;
  const stages = { ...NO_STAGES, submit: row.end_ms };
  const said = saidOfCall(submitted, [row], 'an accepted task', spend);
  return endedRun(means, due, start, said, {
    broken_rules,
    task: { final, stages, polls: 0, transitions: [] },
  });
}

const NO_STAGES = { submit: null, queued: null, in_progress: null, download: null, total: null };
