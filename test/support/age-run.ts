import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const planFile = z.looseObject({ created_at: z.string() });

/** The run of a folder began so much earlier: what waits for the hour need not be waited for. */
export function ageRun(folder: string, ms: number): void {
  const file = join(folder, 'plan.json');
  const plan = planFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  const created_at = new Date(Date.parse(plan.created_at) - ms).toISOString();
  writeFileSync(file, JSON.stringify({ ...plan, created_at }));
}
