import * as z from 'zod';
import { WIRE_FORM } from '../../http/wire-form.ts';
import { tokenCount, unixTime, usdAmount } from './plain-values.ts';

/** The asked window comes back, and an int64 may lie above what a JSON number holds exactly. */
const windowTime = z
  .number()
  .refine((time) => Number.isInteger(time) && time >= 1)
  .register(WIRE_FORM, { type: 'integer', format: 'int64', minimum: 1, description: 'Unix seconds' });

const sums = {
  settled_amount: usdAmount,
  pending_amount: usdAmount,
  refunded_amount: usdAmount,
  records: z.int().min(0),
  unknown_records: z.int().min(0),
};

/** interface §2, usage totals. */
export const usageTotalsAnswer = z.strictObject({
  ...sums,
  currency: z.literal('USD'),
  start_time: windowTime,
  end_time: windowTime,
  by_model: z.array(z.strictObject({ model: z.string(), ...sums })),
  daily: z.array(z.strictObject({ date: z.iso.date().describe('UTC day'), ...sums })),
});

/** interface §2, usage request record. */
export const usageRecord = z.strictObject({
  usage_estimated: z.boolean(),
  id: z.string(),
  request_id: z.string().max(64),
  created_at: unixTime,
  model: z.string(),
  result: z.enum(['completed', 'failed', 'incomplete', 'cancelled', 'unknown']),
  billing_status: z.enum(['pending', 'settled', 'refunded', 'unknown']),
  amount: usdAmount,
  reserved_amount: usdAmount,
  refunded_amount: usdAmount,
  input_tokens: tokenCount,
  output_tokens: tokenCount,
  cache_read_tokens: tokenCount,
  cache_write_tokens: tokenCount,
  pricebook_id: z.string(),
  pricing_version: z.string(),
});

/** interface §4: newest first. */
export const usagePageAnswer = z.strictObject({
  currency: z.literal('USD'),
  data: z.array(usageRecord),
  next_cursor: z.string().describe('Empty on the last page'),
  has_more: z.boolean(),
  start_time: windowTime,
  end_time: windowTime,
});

/** interface §2, account record. */
export const accountAnswer = z.strictObject({
  success: z.literal(true),
  message: z.literal(''),
  data: z.strictObject({
    id: z.int(),
    username: z.string(),
    display_name: z.string(),
    role: z.int(),
    status: z.int(),
    group: z.string(),
    quota: z.int().describe('Internal units, not USD'),
    used_quota: z.int().describe('Internal units, not USD'),
    request_count: z.int().min(0),
  }),
});
