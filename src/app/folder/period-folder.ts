import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type AuditPeriod, PERIOD_SCHEMA } from '../../contracts/audit-period.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { jsonOf } from '../../text/json-of.ts';
import { keptTargetSchema } from './kept-target-schema.ts';

const FILE = 'period.json';

const periodSchema = z.looseObject({
  schema: z.literal(PERIOD_SCHEMA),
  run_id: z.string(),
  target: keptTargetSchema,
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  keys: z.array(z.string()),
}) satisfies z.ZodType<AuditPeriod>;

export function storePeriod(runDir: string, period: AuditPeriod): void {
  writeFileSync(join(runDir, FILE), `${JSON.stringify(period, null, 2)}\n`);
}

/** True where an audit of a period has begun in the folder, however far it came. */
export function hasPeriod(runDir: string): boolean {
  return existsSync(join(runDir, FILE));
}

/** The period that a folder audits; null where it is that of a run. */
export function readPeriod(runDir: string): AuditPeriod | null {
  const file = join(runDir, FILE);
  if (!existsSync(file)) return null;
  const parsed = periodSchema.safeParse(jsonOf(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new WeighbridgeError({
    code: 'period_unreadable',
    message: `${file}: expected ${PERIOD_SCHEMA}, found ${z.prettifyError(parsed.error)}`,
    hint: 'audit the period again with `weighbridge reconcile --month YYYY-MM`',
  });
}
