import { z } from 'zod';
import type { Plan } from '../../core/plan.ts';

/** The target, as the plan of a run and the period of an audit keep it. */
export const keptTargetSchema = z.object({
  name: z.string(),
  root: z.string(),
  v1: z.string(),
  api: z.string(),
  embedded: z.boolean(),
  key: z.enum(['shared', 'exclusive']),
}) satisfies z.ZodType<Plan['target']>;
