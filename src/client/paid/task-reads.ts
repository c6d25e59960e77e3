import { Buffer } from 'node:buffer';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { BLAME_OF } from '../../contracts/outcome.ts';
import { carriesError, readApiError } from '../../wire/api-error.ts';
import { asName, asObject } from '../../wire/json-fields.ts';
import { taskStatusOf } from '../../wire/task-status.ts';
import type { Answered, CallSender } from './call-sender.ts';
import { type FetchOptions, fetchLink, redirectOf } from './fetch-link.ts';
import { freeCall } from './free-call.ts';
import { type AnswerJudgement, verdictOf } from './judgement.ts';
import type { KeyScrubber } from './key-scrubber.ts';
import type { OpenTask, TaskCall, TaskKind } from './paid-call.ts';
import type { AnswerRule, SubmittedTask, TaskContent, TaskState } from './paid-result.ts';
import { resultOfCall } from './result-of-call.ts';
import type { TaskEnd } from './task-end.ts';
import { isFinalStatus, isTaskStatus, type Transition, transitionOf } from './task-life.ts';

/** The longest identifier that is polled, bytes, and the longest status that is told. */
const MOST_ID = 1024;
const MOST_STATUS = 64;

/** A task as an answer describes it (interface §2, §3). */
interface ToldTask {
  readonly id: string | null;
  readonly status: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly broken_rules: readonly AnswerRule[];
}

function idFieldOf(kind: TaskKind): 'id' | 'job_id' {
  return kind === 'video' ? 'id' : 'job_id';
}

function readTask(kind: TaskKind, document: unknown, scrub: KeyScrubber): ToldTask {
  const task = asObject(document);
  const status = scrub.name(taskStatusOf(task?.['status'])?.slice(0, MOST_STATUS));
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
function idFault(kind: TaskKind, id: string | null, scrub: KeyScrubber): string | null {
  const field = idFieldOf(kind);
  if (id === null) return `the submit answer holds no ${field}`;
  if (Buffer.byteLength(id) > MOST_ID) return `the ${field} of the task is longer than ${MOST_ID} bytes`;
  return scrub.holds(id) ? `the ${field} of the task repeats the credential` : null;
}

function failedEnd(task: ToldTask): TaskEnd {
  const { error_code, error_message } = task;
  return { outcome: 'task_failed', error_type: 'task_failed', error_code, message: error_message };
}

/** What one read of the status says about a task, by the rules of xk6/call. */
function judgeRead(
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

/** The free reads of an accepted task. */
export class TaskReads {
  readonly #sender: CallSender;
  readonly #options: FetchOptions;

  constructor(sender: CallSender, options: FetchOptions) {
    this.#sender = sender;
    this.#options = options;
  }

  async poll(task: OpenTask, signal: AbortSignal): Promise<TaskState> {
    const reads = task.reads + 1;
    const answered = await this.#read(task, 'poll', '', signal);
    const { row, told, scrub } = answered;
    const judged = judgeRead(task, { told, status: row.status }, scrub);
    return { row, ...judged, task: { ...task, reads, status: judged.status ?? task.status } };
  }

  async download(task: OpenTask, signal: AbortSignal): Promise<TaskContent> {
    const isVideo = task.kind === 'video';
    const answered = isVideo
      ? await this.#read(task, 'download', '/content', signal)
      : await this.#read(task, 'result', '/result', signal);
    const { row, told } = answered;
    const after = { ...task, reads: task.reads + 1 };
    const { outcome, error_type, content, broken_rules } = told;
    const { error_code, error_message } = row;
    const end = { outcome, error_type, error_code, message: error_message };
    const further = isVideo ? redirectOf(answered, new URL(this.#options.bases.root)) : told.link;
    if (further === null || (!isVideo && outcome !== 'ok'))
      return { rows: [row], end, content, broken_rules, task: after };
    const what = isVideo ? 'mp4' : 'picture';
    const linked = { link: String(further), what, read: after.reads + 1, timeouts: task.timeouts } as const;
    const fetched = await fetchLink(this.#sender, this.#options, task, linked, signal);
    return {
      ...fetched,
      rows: [row, ...fetched.rows],
      broken_rules: [...broken_rules, ...fetched.broken_rules],
      task: { ...after, reads: after.reads + fetched.rows.length },
    };
  }

  #read(task: OpenTask, kind: 'poll' | 'result' | 'download', suffix: string, signal: AbortSignal) {
    const place = task.kind === 'video' ? '/v1/videos' : '/v1/images/jobs';
    const path = `${place}/${encodeURIComponent(task.id)}${suffix}`;
    const call = freeCall(this.#options, task, {
      kind,
      read: task.reads + 1,
      url: new URL(`${this.#options.bases.root}${path}`),
      path,
      auth: 'bearer',
      timeouts: task.timeouts,
      expected: EXPECTED[kind],
    });
    return this.#sender.send(call, signal);
  }
}

const EXPECTED = {
  poll: { what: 'task' },
  result: { what: 'images', asked: null },
  download: { what: 'mp4' },
} as const;

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
