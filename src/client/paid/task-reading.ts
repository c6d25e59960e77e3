import { Buffer } from 'node:buffer';
import { carriesError, readApiError } from '../../wire/api-error.ts';
import { asName, asObject } from '../../wire/json-fields.ts';
import type { AnswerJudgement } from './judgement.ts';
import type { KeyScrubber } from './key-scrubber.ts';
import type { OpenTask, TaskKind } from './paid-call.ts';
import type { AnswerRule } from './paid-result.ts';
import type { TaskEnd } from './task-end.ts';
import { isFinalStatus, isTaskStatus, type Transition, transitionOf } from './task-life.ts';

/** The longest identifier that is polled, bytes, and the longest status that is told. */
const MOST_ID = 1024;
const MOST_STATUS = 64;

/** A task as an answer describes it (interface §2, §3). */
export interface ToldTask {
  readonly id: string | null;
  readonly status: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly broken_rules: readonly AnswerRule[];
}

function idFieldOf(kind: TaskKind): 'id' | 'job_id' {
  return kind === 'video' ? 'id' : 'job_id';
}

export function readTask(kind: TaskKind, document: unknown, scrub: KeyScrubber): ToldTask {
  const task = asObject(document);
  const status = scrub.name(asName(task?.['status'])?.slice(0, MOST_STATUS));
  const error = carriesError(task?.['error']) ? readApiError(task?.['error']) : null;
  const rules: AnswerRule[] = [];
  if (status !== null && !isTaskStatus(status)) rules.push('unknown_status');
  if (error !== null && status !== 'failed') rules.push('error_without_failed');
  return {
    id: asName(task?.[idFieldOf(kind)]),
    status,
    error_code: scrub.name(error?.code),
    error_message: scrub.text(error?.message),
    broken_rules: rules,
  };
}

/** What is wrong with the id of an accepted task; null for nothing. It is written down, so it must not hold the key. */
export function idFault(kind: TaskKind, id: string | null, scrub: KeyScrubber): string | null {
  const field = idFieldOf(kind);
  if (id === null) return `the submit answer holds no ${field}`;
  if (Buffer.byteLength(id) > MOST_ID) return `the ${field} of the task is longer than ${MOST_ID} bytes`;
  return scrub.holds(id) ? `the ${field} of the task repeats the credential` : null;
}

export function failedEnd(task: ToldTask): TaskEnd {
  const { error_code, error_message } = task;
  return { outcome: 'task_failed', error_type: 'task_failed', error_code, message: error_message };
}

/** What one read of the status says about a task, by the rules of xk6/call. */
export function judgeRead(
  open: OpenTask,
  answer: { readonly told: AnswerJudgement; readonly status: number | null },
  scrub: KeyScrubber,
): {
  readonly status: string | null;
  readonly transition: Transition | null;
  readonly end: TaskEnd | null;
  readonly broken_rules: readonly AnswerRule[];
} {
  const { told } = answer;
  const nothing = { status: null, transition: null, broken_rules: told.broken_rules };
  const lost = (message: string): TaskEnd => ({
    outcome: 'task_lost',
    error_type: 'task_lost',
    error_code: scrub.name(told.error_code),
    message,
  });
  if (told.outcome === 'http_error' && answer.status === 404)
    return { ...nothing, end: lost('a poll of the accepted task answered 404') };
  // A poll that failed says nothing about the task.
  if (told.outcome !== 'ok') return { ...nothing, end: null };
  const task = readTask(open.kind, told.document, scrub);
  if (task.id === null || task.status === null) return { ...nothing, end: null };
  if (task.id !== open.id)
    return { ...nothing, end: lost(`a poll of task ${open.id} answered for another task`) };
  const transition = transitionOf(open.status, task.status);
  const broken_rules = [...told.broken_rules, ...task.broken_rules];
  const seen = { status: task.status, transition, broken_rules };
  if (isFinalStatus(open.status) && transition !== null) {
    const message = `the task was ${open.status} and is now ${task.status}`;
    return {
      ...seen,
      end: { outcome: 'bad_response', error_type: 'illegal_transition', error_code: null, message },
    };
  }
  return { ...seen, end: task.status === 'failed' ? failedEnd(task) : null };
}
