import type { PicoUsd } from '../../core/amount.ts';
import type { PaidEndpoint } from '../http/endpoints.ts';
import type { ChargeRecord } from './charge-record.ts';
import type { TaskError } from './task-error.ts';

/** How many calls of a key may start and be open. */
export interface CallLimits {
  /** Calls that may start within any `per_ms` milliseconds. */
  readonly requests: number;
  readonly per_ms: number;
  /** Calls that may be open at once. */
  readonly concurrent: number;
}

/** One credit as it was added. */
export interface Credit {
  /** Null: one without a receipt, such as the opening balance. */
  readonly receipt: string | null;
  readonly amount: PicoUsd;
}

/** An answer to be given again; the request id is that of the call that was charged. */
export interface KeptAnswer {
  readonly requestId: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** An account as it stands at this line: new, or carried over by a compaction. */
export interface AccountEvent {
  readonly type: 'account';
  readonly id: number;
  readonly tokenHash: string;
  readonly blocked: boolean;
  readonly balance: PicoUsd;
  readonly reserved: PicoUsd;
  readonly used: PicoUsd;
  readonly requests: number;
  readonly drawn: PicoUsd;
  readonly credits: readonly Credit[];
}

/** A key as it stands at this line. */
export interface KeyEvent {
  readonly type: 'key';
  readonly account: number;
  readonly hash: string;
  readonly ordinal: number;
  readonly site: 1 | 2;
  readonly blocked: boolean;
  readonly models: readonly string[] | null;
  readonly limit: PicoUsd | null;
  readonly rate: CallLimits | null;
  readonly spent: PicoUsd;
  readonly reserved: PicoUsd;
}

interface TokenEvent {
  readonly type: 'token';
  readonly account: number;
  readonly tokenHash: string;
}

interface BlockEvent {
  readonly type: 'block';
  readonly account: number;
  /** Ordinal of the key, or null for the whole account. */
  readonly key: number | null;
  readonly blocked: boolean;
}

interface CreditEvent extends Credit {
  readonly type: 'credit';
  readonly account: number;
}

/** A record as it is from now on, and by how much it moves the balances of its key and account. */
export interface ChargeEvent {
  readonly type: 'charge';
  /** Ordinal of the key. */
  readonly key: number;
  readonly isNew: boolean;
  readonly record: ChargeRecord;
  readonly held: PicoUsd;
  readonly spent: PicoUsd;
  readonly requests: number;
}

/** Credit held back of which no record tells. */
export interface HoldEvent {
  readonly type: 'hold';
  readonly key: number;
  readonly held: PicoUsd;
}

export type SavedWork =
  | {
      readonly kind: 'image';
      readonly makes: 'generation' | 'edit';
      readonly request: {
        readonly model: string;
        readonly prompt: string;
        readonly size: string;
        readonly quality: string;
        readonly responseFormat: 'url' | 'b64_json';
      };
    }
  | {
      readonly kind: 'video';
      readonly request: {
        readonly model: string;
        readonly prompt: string;
        readonly seconds: number;
        readonly size: string;
      };
    };

/** A task as it was accepted. It runs from a `task_start` line to its `task_end` line. */
export interface TaskEvent {
  readonly type: 'task';
  readonly id: string;
  readonly account: number;
  /** The record of the call that is charged for it. */
  readonly recordId: string;
  readonly endpoint: PaidEndpoint;
  /** Milliseconds since the epoch at which the call came. */
  readonly receivedWall: number;
  readonly work: SavedWork;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Milliseconds since the epoch between which it is in progress. */
  readonly runsFrom: number;
  readonly runsTo: number;
}

export interface TaskStartEvent {
  readonly type: 'task_start';
  readonly id: string;
  /** Unix seconds. */
  readonly startedAt: number;
}

export interface TaskEndEvent {
  readonly type: 'task_end';
  readonly id: string;
  readonly status: 'completed' | 'failed';
  readonly error: TaskError | null;
  /** Unix seconds. */
  readonly completedAt: number;
}

/** The answer that an `Idempotency-Key` stands for. */
export interface KeptAnswerEvent {
  readonly type: 'answer';
  /** The API key, and SHA-256 of what its client chose: that may be anything. */
  readonly name: string;
  /** SHA-256 of what was asked. */
  readonly digest: string;
  /** Unix seconds. */
  readonly since: number;
  readonly answer: KeptAnswer;
}

export type RegistryEvent = AccountEvent | KeyEvent | TokenEvent | BlockEvent | CreditEvent;
export type BooksEvent =
  | RegistryEvent
  | ChargeEvent
  | HoldEvent
  | TaskEvent
  | TaskStartEvent
  | TaskEndEvent
  | KeptAnswerEvent;

/** Where changes of the books go before they are made: what is not on the log has not happened. */
export interface BooksLog {
  /** Hands the event to the operating system before it returns; throws when that fails. */
  append(event: BooksEvent): void;
}
