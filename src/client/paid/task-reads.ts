import type { CallRow } from '../../contracts/ledger-lines.ts';
import { BLAME_OF } from '../../contracts/outcome.ts';
import type { Answered, CallSender } from './call-sender.ts';
import { type FetchOptions, fetchLink, redirectOf } from './fetch-link.ts';
import { freeCall } from './free-call.ts';
import { verdictOf } from './judgement.ts';
import type { OpenTask, TaskCall } from './paid-call.ts';
import type { SubmittedTask, TaskContent, TaskState } from './paid-result.ts';
import { resultOfCall } from './result-of-call.ts';
import type { TaskEnd } from './task-end.ts';
import { failedEnd, idFault, judgeRead, readTask } from './task-reading.ts';

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
