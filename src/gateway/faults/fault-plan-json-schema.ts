import * as z from 'zod';
import { faultPlanSchema } from './fault-plan.ts';

/** The JSON Schema of a fault plan; `fault-plan.schema.json` is its text, for editors and other tools. */
export function faultPlanJsonSchema(): object {
  return { title: 'Weighbridge fault plan', ...z.toJSONSchema(faultPlanSchema, { io: 'input' }) };
}
