import { z } from 'zod';
import { parseAmount } from '../core/amount.ts';
import { parseInstant } from '../core/time.ts';
import type { Shape } from './shape.ts';

/** Amounts of a scheduled run that are exported: those that cannot be below 0. */
export const SCHEDULED_RUN_LINES = ['charged', 'expected', 'certain_over', 'certain_under'] as const;
export type ScheduledRunLine = (typeof SCHEDULED_RUN_LINES)[number];

export const SCHEDULED_RUN_SCHEMA = 'weighbridge.scheduled-run/1';

const instant = z.string().refine((text) => parseInstant(text) !== null, 'expected a moment');
const usd = z
  .string()
  .refine((text) => parseAmount(text) !== null, 'expected a plain decimal')
  .nullable();

/** The last run of a schedule that came to a verdict, as `<state>/<target>/scheduled-run.json` keeps it. */
export const scheduledRun = z.looseObject({
  schema: z.literal(SCHEDULED_RUN_SCHEMA),
  run_id: z.string(),
  /** Name of the target in that run. */
  target: z.string(),
  began_at: instant,
  ended_at: instant,
  /** The next one is to end so long after this one. */
  every_ms: z.number().positive(),
  exit_status: z.int().nonnegative(),
  /** USD as decimals; null where the amount is not known. */
  usd: z.object({ charged: usd, expected: usd, certain_over: usd, certain_under: usd }),
});
export type ScheduledRun = Omit<Shape<typeof scheduledRun>, 'schema'>;
