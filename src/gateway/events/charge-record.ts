import * as z from 'zod';

/** A value of a line, which nothing changes once it is written. */
export type Held<T> = T extends readonly (infer I)[]
  ? readonly Held<I>[]
  : T extends object
    ? { readonly [K in keyof T]: Held<T[K]> }
    : T;

/** An amount in 10⁻¹² USD, written as digits. */
export const pico = z
  .string()
  .regex(/^-?\d{1,40}$/)
  .transform(BigInt);

/** One line of the gateway's books. */
export const chargeRecord = z.strictObject({
  id: z.string().min(1),
  requestId: z.string(),
  /** Unix seconds of acceptance, or of its end where the readings say so; windows of usage reads go by it. */
  createdAt: z.int(),
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
  /** The receipts of the credits that paid the amount, oldest first. */
  receipts: z.array(z.string()),
});
export type ChargeRecord = Held<z.infer<typeof chargeRecord>>;

export type CallResult = ChargeRecord['result'];
export type BillingStatus = ChargeRecord['status'];
/** Tokens of one call as its record holds them: `input` includes both kinds of cache tokens. */
export type TokenUsage = ChargeRecord['usage'];

export const NO_TOKENS: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
