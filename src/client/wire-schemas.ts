import { z } from 'zod';
import type { AccountRecord, ModelList, UsagePage } from '../contracts/interface.ts';

/** Schemas of what is read. Loose: a target may add fields, and what is judged later is judged there. */

/** Some servers list their models without an envelope. */
export const modelListSchema = z.preprocess(
  (list) => (Array.isArray(list) ? { data: list } : list),
  z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) }),
) satisfies z.ZodType<ModelList>;

const accountSchema = z.looseObject({
  id: z.number(),
  quota: z.number(),
  used_quota: z.number(),
  request_count: z.number(),
}) satisfies z.ZodType<AccountRecord>;

export const accountAnswerSchema = z.looseObject({ success: z.literal(true), data: accountSchema });

/** The frame of a usage page; its records stay as served. */
export interface UsagePageFrame extends Pick<UsagePage, 'has_more'> {
  readonly data: readonly unknown[];
  /** Absent or null on a last page of some gateways. */
  readonly next_cursor?: string | null | undefined;
  readonly start_time?: unknown;
  readonly end_time?: unknown;
  readonly currency?: unknown;
}

export const usagePageSchema = z.looseObject({
  data: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
  has_more: z.boolean(),
  start_time: z.unknown().optional(),
  end_time: z.unknown().optional(),
  currency: z.unknown().optional(),
}) satisfies z.ZodType<UsagePageFrame>;

/** Totals stay as served: a wrong field is the reconciler's finding, not a failed read. */
export const usageTotalsSchema = z.record(z.string(), z.unknown());

/** interface §7, model-call error body. */
export const errorBodySchema = z.looseObject({
  error: z.looseObject({
    message: z.string(),
    type: z.string(),
    // Some gateways send null or a number where there is no named reason.
    code: z.preprocess((code) => (typeof code === 'string' ? code : ''), z.string()),
  }),
});

/** interface §7: the error body of account calls. */
export const accountErrorSchema = z.looseObject({ success: z.literal(false), message: z.string() });
