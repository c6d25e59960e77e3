import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Blame, ErrorType } from '../../contracts/outcome.ts';
import type { MediaFormat } from './media-check.ts';
import type { OpenTask } from './paid-call.ts';
import type { StreamEventCounts } from './stream-reading.ts';
import type { TaskEnd } from './task-end.ts';
import type { Transition } from './task-life.ts';

/** Parts of a call, ms; null where there was none, or where a proxy hides it. */
export interface CallPhases {
  readonly resolve: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  /** From the connection to the last byte of the request. */
  readonly send: number | null;
  readonly wait: number | null;
  readonly transfer: number | null;
}

/** Moments of a stream, ms since the request was sent; the row counts from before the connection was sought. */
export interface SinceSent {
  readonly first_event: number | null;
  /** Time to the first token: the first event with generated content. */
  readonly first_content: number | null;
  readonly last_content: number | null;
}

/** An image or a video, counted and checked. */
export interface ContentFacts {
  readonly bytes: number;
  readonly format: MediaFormat;
  /** Of the expected format, and whole. */
  readonly sound: boolean;
}

/** Rules of the interface that an answer broke, beside what its outcome says. */
const ANSWER_RULES = [
  'empty_content',
  'content_type',
  'error_body_shape',
  'error_without_request_id',
  'image_form',
  'image_count',
  'unknown_status',
  'error_without_failed',
] as const;
export type AnswerRule = (typeof ANSWER_RULES)[number];

/** What the row says, and beyond it what a probe expects of every answer: content that is not empty. */
export interface AnswerVerdict {
  readonly error_type: ErrorType;
  readonly blame: Blame;
}

export interface PaidResult {
  readonly row: CallRow;
  /** Of the free reads that belong to it: links of images. */
  readonly free_rows: readonly CallRow[];
  readonly phases: CallPhases;
  readonly since_sent: SinceSent;
  readonly stream_events: StreamEventCounts;
  readonly content: ContentFacts | null;
  readonly tls_not_after_ms: number | null;
  readonly broken_rules: readonly AnswerRule[];
  readonly verdict: AnswerVerdict;
}

export interface SubmittedTask extends PaidResult {
  /** Null where nothing was accepted, or the task was final at once and failed: the row is the last word then. */
  readonly task: OpenTask | null;
}

/** One read of a task's status. */
export interface TaskState {
  /** Of the free read. */
  readonly row: CallRow;
  /** As told; null for a read that failed, which says nothing about the task. */
  readonly status: string | null;
  /** Null where the status is that of the last read, or the first one. */
  readonly transition: Transition | null;
  /** Null while the task goes on, and when it is completed: then its content is fetched. */
  readonly end: TaskEnd | null;
  readonly broken_rules: readonly AnswerRule[];
  /** The task as it is now known: what the next read takes. */
  readonly task: OpenTask;
}

/** One attempt to fetch the content of a task. */
export interface TaskContent {
  readonly rows: readonly CallRow[];
  /** `ok` only for content that is sound. */
  readonly end: TaskEnd;
  readonly content: ContentFacts | null;
  readonly broken_rules: readonly AnswerRule[];
  readonly task: OpenTask;
}
