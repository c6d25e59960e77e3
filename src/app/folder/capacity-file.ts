import { join } from 'node:path';
import type { CapacityResult } from '../../contracts/result.ts';
import { capacitySchema } from '../../report/result-schema.ts';
import { type FolderFile, readFolderFile, writeFolderFile } from './folder-file.ts';

const CAPACITY_FILE = 'capacity.json';

const KIND: FolderFile<CapacityResult> = {
  code: 'capacity_unreadable',
  version: 'weighbridge.capacity/1',
  content: capacitySchema,
  hint: 'take the file that the run wrote, or remove it to judge the run without its search',
};

/** Keeps the search in the run folder, so that its report can be rendered again. */
export function writeCapacity(runDir: string, capacity: CapacityResult): void {
  writeFolderFile(join(runDir, CAPACITY_FILE), KIND, capacity);
}

/** The search of a run folder; null where none was made. */
export function readCapacity(runDir: string): CapacityResult | null {
  return readFolderFile(join(runDir, CAPACITY_FILE), KIND);
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
