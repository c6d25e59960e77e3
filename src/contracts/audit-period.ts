import { z } from 'zod';
import { planTargetSchema } from './plan.ts';
import type { Shape } from './shape.ts';

/** `period.json` of an audit without a run of ours: whose bill of which time is judged. It stands where a run has a plan. */
export const PERIOD_SCHEMA = 'weighbridge.period/1';

export const auditPeriodSchema = z.looseObject({
  schema: z.literal(PERIOD_SCHEMA),
  run_id: z.string(),
  target: planTargetSchema,
  /** RFC 3339 UTC, half-open: `start` inside, `end` outside. */
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  /** Fingerprints of the keys whose records are read. */
  keys: z.array(z.string()),
});
export type AuditPeriod = Shape<typeof auditPeriodSchema>;
