import type { TaskStatus } from '../../contracts/interface.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { TaskError } from '../events/books-event.ts';
import type { RequestFaults } from '../hooks/request-faults.ts';

/** What a task does when it ends; called once, by one of the three. */
export interface TaskWork {
  /** Of the call that created the task. */
  readonly faults: RequestFaults;
  /** Held in full from acceptance to the end. */
  readonly price: PicoUsd;
  complete(lateness_ms: number): void;
  fail(): void;
  /** The gateway stops before the task has ended, or the task never ends and its day is over. */
  abandon(): void;
}

/** A job or video task: queued, then in progress, then completed or failed for good. */
export interface Task<W extends TaskWork> {
  readonly id: string;
  /** Results belong to the account, whichever of its keys asks (interface §4). */
  readonly accountId: number;
  readonly work: W;
  /** Unix seconds. */
  readonly createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
  status: TaskStatus;
  error: TaskError | null;
  /** Status reads so far. */
  polls: number;
  /** Moments of the monotonic clock between which it is due to be in progress. */
  runs: { readonly from_ms: number; readonly to_ms: number };
}
