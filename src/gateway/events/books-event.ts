import * as z from 'zod';
import { CHARGED_ENDPOINTS } from '../http/endpoints.ts';
import { chargeRecord, type Held, pico } from './charge-record.ts';

/** Unix seconds. */
const time = z.int();
const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** How many calls of a key may start and be open. */
const callLimits = z.strictObject({
  /** Calls that may start within any `per_ms` milliseconds. */
  requests: count,
  per_ms: count,
  /** Calls that may be open at once. */
  concurrent: count,
});
export type CallLimits = Held<z.infer<typeof callLimits>>;

/** One credit as it was added. */
const credit = z.strictObject({
  /** Null: one without a receipt, such as the opening balance. */
  receipt: z.string().nullable(),
  amount: pico,
});
export type Credit = Held<z.infer<typeof credit>>;

/** An account as it stands at this line: new, or carried over by a compaction. */
const account = z.strictObject({
  type: z.literal('account'),
  id: z.int(),
  tokenHash: sha256,
  blocked: z.boolean(),
  balance: pico,
  reserved: pico,
  used: pico,
  requests: count,
  drawn: pico,
  credits: z.array(credit),
});
export type AccountEvent = Held<z.infer<typeof account>>;

/** A key as it stands at this line. */
const key = z.strictObject({
  type: z.literal('key'),
  account: z.int(),
  hash: sha256,
  ordinal: z.int().min(1),
  site: z.union([z.literal(1), z.literal(2)]),
  /** Whose ratio its charges are multiplied by, where a dialect has groups. */
  group: z.string().optional(),
  blocked: z.boolean(),
  models: z.array(z.string()).nullable(),
  limit: pico.nullable(),
  rate: callLimits.nullable(),
  spent: pico,
  reserved: pico,
});
export type KeyEvent = Held<z.infer<typeof key>>;

const ofAccount = z.discriminatedUnion('type', [
  account,
  key,
  z.strictObject({ type: z.literal('token'), account: z.int(), tokenHash: sha256 }),
  z.strictObject({
    type: z.literal('block'),
    account: z.int(),
    /** Ordinal of the key, or null for the whole account. */
    key: z.int().nullable(),
    blocked: z.boolean(),
  }),
  credit.extend({ type: z.literal('credit'), account: z.int() }),
]);
export type RegistryEvent = Held<z.infer<typeof ofAccount>>;

/** A record as it is from now on, and by how much it moves the balances of its key and account. */
const charge = z.strictObject({
  type: z.literal('charge'),
  /** Ordinal of the key. */
  key: z.int().min(1),
  isNew: z.boolean(),
  record: chargeRecord,
  held: pico,
  spent: pico,
  requests: count,
});
export type ChargeEvent = Held<z.infer<typeof charge>>;

/** Credit held back of which no record tells. */
const hold = z.strictObject({ type: z.literal('hold'), key: z.int().min(1), held: pico });
export type HoldEvent = Held<z.infer<typeof hold>>;

const savedWork = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('image'),
    makes: z.enum(['generation', 'edit']),
    request: z.strictObject({
      model: z.string(),
      prompt: z.string(),
      size: z.string(),
      quality: z.string(),
      responseFormat: z.enum(['url', 'b64_json']),
    }),
  }),
  z.strictObject({
    kind: z.literal('video'),
    request: z.strictObject({ model: z.string(), prompt: z.string(), seconds: z.int(), size: z.string() }),
  }),
]);
export type SavedWork = Held<z.infer<typeof savedWork>>;

/** A task as it was accepted. It runs from a `task_start` line to its `task_end` line. */
const task = z.strictObject({
  type: z.literal('task'),
  id: z.string().min(1),
  account: z.int(),
  /** The record of the call that is charged for it. */
  recordId: z.string(),
  endpoint: z.enum(CHARGED_ENDPOINTS),
  /** Milliseconds since the epoch at which the call came. */
  receivedWall: z.number(),
  work: savedWork,
  createdAt: time,
  /** Milliseconds since the epoch between which it is in progress. */
  runsFrom: z.number(),
  runsTo: z.number(),
});
export type TaskEvent = Held<z.infer<typeof task>>;

const taskStart = z.strictObject({ type: z.literal('task_start'), id: z.string(), startedAt: time });
export type TaskStartEvent = Held<z.infer<typeof taskStart>>;

/** Why a task failed, as its `error` tells (interface §2). */
const taskError = z.strictObject({ code: z.string(), message: z.string() });
export type TaskError = Held<z.infer<typeof taskError>>;

const taskEnd = z.strictObject({
  type: z.literal('task_end'),
  id: z.string(),
  status: z.enum(['completed', 'failed']),
  error: taskError.nullable(),
  completedAt: time,
});
export type TaskEndEvent = Held<z.infer<typeof taskEnd>>;

/** An answer to be given again; the request id is that of the call that was charged. */
const keptAnswer = z.strictObject({
  requestId: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
});
export interface KeptAnswer extends Omit<Held<z.infer<typeof keptAnswer>>, 'body'> {
  readonly body: object;
}

/** The answer that an `Idempotency-Key` stands for. */
const answer = z.strictObject({
  type: z.literal('answer'),
  /** The API key, and SHA-256 of what its client chose: that may be anything. */
  name: z.string(),
  /** SHA-256 of what was asked. */
  digest: sha256,
  since: time,
  answer: keptAnswer,
});
export interface KeptAnswerEvent extends Omit<Held<z.infer<typeof answer>>, 'answer'> {
  readonly answer: KeptAnswer;
}

/** One line of the books, as it is read back. */
export const booksEvent = z.discriminatedUnion('type', [
  charge,
  ofAccount,
  hold,
  task,
  taskStart,
  taskEnd,
  answer,
]);
export type BooksEvent =
  | Exclude<Held<z.infer<typeof booksEvent>>, { readonly type: 'answer' }>
  | KeptAnswerEvent;

/** Where changes of the books go before they are made: what is not on the log has not happened. */
export interface BooksLog {
  /** Hands the event to the operating system before it returns; throws when that fails. */
  append(event: BooksEvent): void;
}
