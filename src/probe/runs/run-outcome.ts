import type { AnswerRule } from '../../client/paid/paid-result.ts';
import type { StreamEventCounts } from '../../client/paid/stream-reading.ts';
import type { Transition } from '../../client/paid/task-life.ts';
import type { TASK_STAGES } from '../../contracts/metrics/label-values.ts';
import type { SkipReason } from '../schedule/due-run.ts';
import type { TaskFinal } from '../tasks/task-line.ts';
import type { ProbeRun } from '../view/probe-run.ts';

/** Of a stream, ms since the request was sent. */
interface StreamFacts {
  readonly first_event_ms: number | null;
  readonly first_content_ms: number | null;
  readonly last_content_ms: number | null;
  readonly max_gap_ms: number | null;
  readonly events: StreamEventCounts;
}

/** Of a task that is over. */
interface TaskFacts {
  readonly final: TaskFinal;
  /** Times of its parts, ms; null where the reads do not tell. */
  readonly stages: Readonly<Record<(typeof TASK_STAGES)[number], number | null>>;
  readonly polls: number;
  readonly transitions: readonly Transition[];
}

/** The part of a refusal that is not as the interface says; `early_result` is the status of a result read too early. */
export type RefusalRule = 'status' | 'code' | 'body' | 'early_result';

/** What a run saw beside what it is judged by. */
export interface RunFacts {
  readonly stream: StreamFacts | null;
  /** Of an image or a video that was fetched. */
  readonly content_bytes: number | null;
  readonly broken_rules: readonly AnswerRule[];
  /** What was wrong with a refusal that was asked for; null where it was well, or none was. */
  readonly refusal: RefusalRule | null;
  readonly task: TaskFacts | null;
}

export const NO_RUN_FACTS: RunFacts = {
  stream: null,
  content_bytes: null,
  broken_rules: [],
  refusal: null,
  task: null,
};

/** How a run ended; one that was cut by our own end is none, and is told nowhere. */
export type RunOutcome =
  | { readonly kind: 'ended'; readonly run: ProbeRun; readonly facts: RunFacts }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'interrupted' };

export const INTERRUPTED: RunOutcome = { kind: 'interrupted' };
const OVER_BUDGET: RunOutcome = { kind: 'skipped', reason: 'budget' };
const NO_PRICE: RunOutcome = { kind: 'skipped', reason: 'no_price' };

export const NOT_RESERVED = { no_room: OVER_BUDGET, no_price: NO_PRICE } as const;
