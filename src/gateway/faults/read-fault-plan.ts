import * as z from 'zod';
import { readYaml } from '../../config/read-yaml.ts';
import { type FaultPlan, faultPlanSchema } from './fault-plan.ts';

/** Reads a plan in YAML or JSON. Throws `config_invalid` (exit 2) with `file:line:col` for each problem. */
export function readFaultPlan(source: { readonly text: string; readonly file: string }): FaultPlan {
  return readYaml<FaultPlan>(source, faultPlanSchema);
}

/** The JSON Schema of a fault plan; `fault-plan.schema.json` is its text, for editors and other tools. */
export function faultPlanJsonSchema(): object {
  return { title: 'Weighbridge fault plan', ...z.toJSONSchema(faultPlanSchema, { io: 'input' }) };
}
