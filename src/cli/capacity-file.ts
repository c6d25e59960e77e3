import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';
import type { CapacityResult } from '../core/result.ts';
import { capacitySchema } from '../report/result-schema.ts';

const CAPACITY_FILE = 'capacity.json';
const CAPACITY_SCHEMA = 'weighbridge.capacity/1';

const fileSchema = z.strictObject({ schema: z.literal(CAPACITY_SCHEMA), ...capacitySchema.shape });

/** Keeps the search in the run folder, so that its report can be rendered again. */
export function writeCapacity(runDir: string, capacity: CapacityResult): void {
  const text = JSON.stringify({ schema: CAPACITY_SCHEMA, ...capacity }, null, 2);
  writeFileSync(join(runDir, CAPACITY_FILE), `${text}\n`);
}

/** The search of a run folder; null where none was made. */
export function readCapacity(runDir: string): CapacityResult | null {
  const file = join(runDir, CAPACITY_FILE);
  if (!existsSync(file)) return null;
  const parsed = fileSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (parsed.success) {
    const { schema: _, ...capacity } = parsed.data;
    return capacity;
  }
  throw new WeighbridgeError({
    code: 'capacity_unreadable',
    message: `${file}: expected ${CAPACITY_SCHEMA}, found ${z.prettifyError(parsed.error)}`,
    hint: 'take the file that the run wrote, or remove it to judge the run without its search',
    exitCode: EXIT.usage,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The plan file of a step, and what its run id ends with. */
export function stepPlanFile(instance: string): string {
  return `${instance}-plan.json`;
}

/** The step whose load is reported: the one that held at the highest rate, else the last. */
export function reportedStep({ steps, rate_scale }: CapacityResult): string | null {
  const held = steps.find((step) => step.verdict === 'held' && step.rate_scale === rate_scale);
  return (held ?? steps.at(-1))?.instance ?? null;
}

/** Why the reported step could not be judged for want of calls; empty where a rate held, or the target was judged. */
export function unjudgedSteps({ steps, rate_scale }: CapacityResult): readonly string[] {
  const last = steps.at(-1);
  return rate_scale === null && last?.verdict === 'too_few_calls' ? last.reasons : [];
}
