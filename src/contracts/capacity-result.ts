import { z } from 'zod';
import { objectiveResult } from './load-result.ts';
import { ratio } from './scalars.ts';
import type { Shape } from './shape.ts';

const capacityStep = z.strictObject({
  /** Its ledger files and run id end with it. */
  instance: z.string(),
  rate_scale: z.number(),
  asked_rate: z.number().nullable(),
  achieved_rate: z.number().nullable(),
  /** Calls that the closed loops keep under way; null where there is none. */
  concurrency: z.int().nullable().default(null),
  verdict: z.enum(['held', 'missed', 'client_limited', 'halted', 'too_few_calls']),
  /** What was missed, what limited the client, or what too few calls could judge; empty where it held. */
  reasons: z.array(z.string()),
  /** Missed for dropped starts alone: max_in_flight, no objective, stood against the rate. */
  only_dropped: z.boolean().default(false),
  goodput: z.number().nullable(),
  attainment: ratio.nullable(),
  /** ms, of all kinds together; null where no call of it was ok, and in older files. */
  ttft_p95_ms: z.number().nullable().default(null),
  e2e_p95_ms: z.number().nullable().default(null),
  /** What was measured of each objective that a rate can miss. */
  objectives: z.array(objectiveResult).default([]),
});
export type CapacityStep = Shape<typeof capacityStep>;

/** The search for the highest rate at which every objective is met and the client is valid. */
export const capacitySchema = z.strictObject({
  /** The highest factor over the planned rates that held; null where none did. */
  rate_scale: z.number().nullable(),
  /** Starts per second asked for at that factor. */
  asked_rate: z.number().nullable(),
  /** Why the search went no further. */
  ended: z.enum([
    'resolved',
    'most_steps',
    'client_limited',
    'spend_cap',
    'not_permitted',
    'too_few_calls',
    'halted',
    'interrupted',
  ]),
  steps: z.array(capacityStep),
});
export type CapacityResult = Shape<typeof capacitySchema>;
export type CapacityEnd = CapacityResult['ended'];
