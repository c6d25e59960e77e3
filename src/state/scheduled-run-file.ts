import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import { SCHEDULED_RUN_SCHEMA, type ScheduledRun, scheduledRun } from '../contracts/scheduled-run.ts';
import { replaceFile } from '../files/replace-file.ts';
import { jsonOf } from '../text/json-of.ts';

const FILE = 'scheduled-run.json';

/** Replaces the file whole: a reader finds the old run or the new one. */
export function writeScheduledRun(targetDir: string, run: ScheduledRun): void {
  const text = `${JSON.stringify({ schema: SCHEDULED_RUN_SCHEMA, ...run }, null, 2)}\n`;
  replaceFile(join(targetDir, FILE), text);
}

/** Null where no run of a schedule ever came to a verdict. Throws `scheduled_run_unreadable` (exit 2). */
export function readScheduledRun(targetDir: string): ScheduledRun | null {
  const file = join(targetDir, FILE);
  if (!existsSync(file)) return null;
  const parsed = scheduledRun.safeParse(jsonOf(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new WeighbridgeError({
    code: 'scheduled_run_unreadable',
    message: `${file}: expected ${SCHEDULED_RUN_SCHEMA}, found ${z.prettifyError(parsed.error)}`,
    hint: 'remove the file: the next scheduled run writes it anew',
    exitCode: EXIT.usage,
  });
}
