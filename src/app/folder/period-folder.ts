import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type AuditPeriod, auditPeriodSchema, PERIOD_SCHEMA } from '../../contracts/audit-period.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { jsonOf } from '../../text/json-of.ts';

const FILE = 'period.json';

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
  const parsed = auditPeriodSchema.safeParse(jsonOf(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new WeighbridgeError({
    code: 'period_unreadable',
    message: `The file ${file} is not a ${PERIOD_SCHEMA} file:\n${z.prettifyError(parsed.error)}`,
    hint: 'Run `weighbridge reconcile --month YYYY-MM` again.',
  });
}
