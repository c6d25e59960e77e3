import * as z from 'zod';
import type { BooksEvent, ChargeEvent } from '../events/books-event.ts';
import { PAID_ENDPOINTS } from '../http/endpoints.ts';

/** The first line of every books file. */
export const booksHeader = z.strictObject({
  schema: z.literal('weighbridge.gateway-data/2'),
  /** Internal units per USD of this gateway. */
  quotaPerUsd: z.int().min(1),
});
export type BooksHeader = z.infer<typeof booksHeader>;

/** An amount in 10⁻¹² USD, as digits. */
const pico = z
  .string()
  .regex(/^-?\d{1,40}$/)
  .transform(BigInt);
const time = z.int();
const count = z.int().min(0);
const credit = { receipt: z.string().nullable(), amount: pico };
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

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
  credits: z.array(z.strictObject(credit)),
});

const key = z.strictObject({
  type: z.literal('key'),
  account: z.int(),
  hash: sha256,
  ordinal: z.int().min(1),
  site: z.union([z.literal(1), z.literal(2)]),
  blocked: z.boolean(),
  models: z.array(z.string()).nullable(),
  limit: pico.nullable(),
  rate: z.strictObject({ requests: count, per_ms: count, concurrent: count }).nullable(),
  spent: pico,
  reserved: pico,
});

const record = z.strictObject({
  id: z.string().min(1),
  requestId: z.string(),
  createdAt: time,
  keyFingerprint: z.string(),
  model: z.string(),
  result: z.enum(['completed', 'failed', 'incomplete', 'cancelled', 'unknown']),
  status: z.enum(['pending', 'settled', 'refunded', 'unknown']),
  amount: pico,
  reserved: pico,
  refunded: pico,
  usage: z.strictObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
  }),
  estimated: z.boolean(),
  pricebookId: z.string(),
  pricingVersion: z.string(),
  receipts: z.array(z.string()),
});

const charge = z.strictObject({
  type: z.literal('charge'),
  key: z.int().min(1),
  isNew: z.boolean(),
  record,
  held: pico,
  spent: pico,
  requests: count,
});

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

const task = z.strictObject({
  type: z.literal('task'),
  id: z.string().min(1),
  account: z.int(),
  recordId: z.string(),
  endpoint: z.enum(PAID_ENDPOINTS),
  receivedWall: z.number(),
  work: savedWork,
  createdAt: time,
  runsFrom: z.number(),
  runsTo: z.number(),
});

const taskStart = z.strictObject({ type: z.literal('task_start'), id: z.string(), startedAt: time });

const taskEnd = z.strictObject({
  type: z.literal('task_end'),
  id: z.string(),
  status: z.enum(['completed', 'failed']),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  completedAt: time,
});

const answer = z.strictObject({
  type: z.literal('answer'),
  name: z.string(),
  digest: sha256,
  since: time,
  answer: z.strictObject({
    requestId: z.string(),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.record(z.string(), z.unknown()),
  }),
});

const event = z.discriminatedUnion('type', [
  charge,
  account,
  key,
  z.strictObject({ type: z.literal('token'), account: z.int(), tokenHash: sha256 }),
  z.strictObject({
    type: z.literal('block'),
    account: z.int(),
    key: z.int().nullable(),
    blocked: z.boolean(),
  }),
  z.strictObject({ type: z.literal('credit'), account: z.int(), ...credit }),
  z.strictObject({ type: z.literal('hold'), key: z.int().min(1), held: pico }),
  task,
  taskStart,
  taskEnd,
  answer,
]);

/** One line, without its line end. */
export function booksLine(written: BooksEvent | BooksHeader): string {
  const isCharge = 'type' in written && written.type === 'charge';
  return isCharge ? JSON.stringify(chargeContent(written)) : JSON.stringify(written, amountsAsText);
}

function amountsAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Nearly all lines are charges, and a function that is called for each of their values takes most of their time. */
function chargeContent({ record: booked, held, spent, ...rest }: ChargeEvent): object {
  const { amount, reserved, refunded } = booked;
  const amounts = { amount: String(amount), reserved: String(reserved), refunded: String(refunded) };
  return { ...rest, record: { ...booked, ...amounts }, held: String(held), spent: String(spent) };
}

/** Throws SyntaxError or ZodError for a line that is no event. */
export function readBooksLine(line: string): BooksEvent {
  return event.parse(JSON.parse(line));
}
