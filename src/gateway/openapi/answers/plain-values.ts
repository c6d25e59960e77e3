import * as z from 'zod';
import { TASK_STATUSES } from '../../../contracts/interface.ts';

/** Whole seconds since 1970. */
export const unixTime = z.int().min(1).describe('Unix seconds');

/** USD in plain decimals, at most 8 of them. */
export const usdAmount = z
  .string()
  .regex(/^(0|[1-9][0-9]*)(\.[0-9]{1,8})?$/)
  .describe('USD');

export const tokenCount = z.int().min(0);

export const taskStatus = z.enum(TASK_STATUSES);

/** Set when the status is `failed`. */
export const taskError = z.strictObject({ code: z.string(), message: z.string() }).nullable();

export const progress = z.int().min(0).max(100).describe('Percent');

/** Only of models that have tiers of service. */
export const servedTier = z
  .enum(['default', 'priority', 'flex'])
  .describe('The tier at which the call was served and is charged');
