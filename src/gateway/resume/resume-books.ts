import { ServedCall } from '../calls/paid-call.ts';
import type { OpenCharge } from '../charging/charge-ledger.ts';
import type { BooksState, LoggedTask } from '../data/books-state.ts';
import type { BooksLog, SavedWork, TaskEvent } from '../events/books-event.ts';
import { RequestFaults } from '../hooks/request-faults.ts';
import { KIND_OF } from '../http/endpoints.ts';
import type { Gateway } from '../parts/gateway.ts';
import { unfactoredRule } from '../readings/charge-rule.ts';
import { ImageWork, VideoWork } from '../tasks/priced-work.ts';
import type { Task, TaskWork } from '../tasks/task.ts';
import type { KnownTask, TaskLog } from '../tasks/task-store.ts';
import { type Clock, unixSeconds } from '../time/clock.ts';

type Outcome = Pick<KnownTask<TaskWork>, 'status' | 'error' | 'completedAt'>;

/**
 * Goes on where the last process stopped. Tasks follow their clock; every other charge that is open is refunded as
 * failed, since nothing proves that the client had its answer: an answer is settled before its end is written.
 */
export function resumeBooks(gateway: Gateway, state: BooksState): void {
  const waiting = new Map(state.openCharges().map((charge) => [charge.record.id, charge]));
  for (const task of state.tasks(unixSeconds(gateway.clock.wallMs()))) {
    const { recordId } = task.accepted;
    const charge = waiting.get(recordId) ?? endedCharge(gateway, recordId);
    if (charge === null) continue;
    waiting.delete(recordId);
    resumeTask(gateway, task, charge);
  }
  for (const charge of waiting.values()) gateway.ledger.refund(charge, 'failed');
  for (const kept of state.answers(unixSeconds(gateway.clock.wallMs()))) gateway.idempotency.takeOver(kept);
}

/** Null where the record is gone from its key. */
function endedCharge({ records, registry }: Gateway, recordId: string): OpenCharge | null {
  const record = records.find(recordId);
  const key = record === null ? null : registry.keyOfFingerprint(record.keyFingerprint);
  return record === null || key === null ? null : { key, record };
}

function resumeTask(gateway: Gateway, { accepted, start, end }: LoggedTask, charge: OpenCharge): void {
  const { clock, imageJobs, videoTasks } = gateway;
  const { id, account, createdAt, endpoint, receivedWall, runsFrom, work } = accepted;
  const { record, key } = charge;
  const call = new ServedCall(
    gateway,
    {
      requestId: record.requestId,
      key,
      endpoint,
      kind: KIND_OF[endpoint],
      model: record.model,
      prompt: work.request.prompt,
      reserve: record.reserved,
      faults: RequestFaults.NONE,
      rule: unfactoredRule(gateway.readings),
    },
    { charge, receivedWall },
  );
  const outcome = end ?? outcomeOf(charge, unixSeconds(clock.wallMs()));
  const known = {
    id,
    accountId: account,
    createdAt,
    startedAt: start?.startedAt ?? (outcome.status === 'queued' ? null : unixSeconds(runsFrom)),
    completedAt: outcome.completedAt,
    status: outcome.status,
    error: outcome.error,
    runs: runsOf(accepted, start !== null, clock),
  };
  const isOpen = record.status === 'pending';
  if (work.kind === 'image') {
    const image = new ImageWork(call, work.makes, work.request, record.reserved);
    imageJobs.takeOver({ ...known, work: image });
    if (isOpen && end !== null) endWork(image, end.status);
  } else {
    const video = new VideoWork(call, work.request, record.reserved);
    videoTasks.takeOver({ ...known, work: video });
    if (isOpen && end !== null) endWork(video, end.status);
  }
}

/**
 * When it is due by this process's clock. The one that accepted it may have had a clock that was put forward, and such a
 * task would wait for days: nothing takes longer from the start of this process than it takes in all.
 */
function runsOf(
  { receivedWall, runsFrom, runsTo }: TaskEvent,
  isStarted: boolean,
  clock: Clock,
): KnownTask<TaskWork>['runs'] {
  const now = clock.monoMs();
  const monoOf = (wall_ms: number): number => now + (wall_ms - clock.wallMs());
  const from_ms = Math.min(monoOf(runsFrom), now + (isStarted ? 0 : runsFrom - receivedWall));
  return { from_ms, to_ms: Math.min(monoOf(runsTo), Math.max(from_ms, now) + (runsTo - runsFrom)) };
}

/** The process died between the end of the task and that of its charge. */
function endWork(work: TaskWork, status: 'completed' | 'failed'): void {
  if (status === 'completed') work.complete(0);
  else work.fail();
}

/** Of a task whose end is not on the log: its charge tells whether it has one. */
function outcomeOf({ record: { status } }: OpenCharge, now_s: number): Outcome {
  if (status === 'pending') return { status: 'queued', error: null, completedAt: null };
  if (status === 'settled') return { status: 'completed', error: null, completedAt: now_s };
  return {
    status: 'failed',
    error: { code: 'task_failed', message: 'The task has failed' },
    completedAt: now_s,
  };
}

type KeptWork = ImageWork | VideoWork;

/** Puts the tasks of a store on the log. */
export class TaskEvents<W extends TaskWork & KeptWork> implements TaskLog<W> {
  readonly #log: BooksLog;
  readonly #clock: Clock;

  constructor(log: BooksLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  accepted({ id, accountId, work, createdAt, runs }: Task<W>): void {
    const wallOf = (mono_ms: number): number => this.#clock.wallMs() + (mono_ms - this.#clock.monoMs());
    this.#log.append({
      type: 'task',
      id,
      account: accountId,
      ...work.call.saved,
      work: savedWork(work),
      createdAt,
      runsFrom: wallOf(runs.from_ms),
      runsTo: wallOf(runs.to_ms),
    });
  }

  started({ id, startedAt }: Task<W>): void {
    this.#log.append({ type: 'task_start', id, startedAt: startedAt ?? 0 });
  }

  ended({ id, status, error, completedAt }: Task<W>): void {
    const how = status === 'completed' ? status : 'failed';
    this.#log.append({ type: 'task_end', id, status: how, error, completedAt: completedAt ?? 0 });
  }
}

function savedWork(work: KeptWork): SavedWork {
  if ('kind' in work) {
    const { model, prompt, size, quality, responseFormat } = work.request;
    return { kind: 'image', makes: work.kind, request: { model, prompt, size, quality, responseFormat } };
  }
  const { model, prompt, seconds, size } = work.request;
  return { kind: 'video', request: { model, prompt, seconds, size } };
}
