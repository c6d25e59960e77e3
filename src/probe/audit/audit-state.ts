import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { VERDICTS } from '../../contracts/metrics/label-values.ts';
import type { Shape } from '../../contracts/shape.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { refuseOtherVersion } from '../../state/refuse-other-version.ts';
import { jsonOf } from '../../text/json-of.ts';

export const AUDIT_STATE_SCHEMA = 'weighbridge.probe-audit/1';

export type Verdict = (typeof VERDICTS)[number];

/** What was counted of a call already. */
const auditedCall = z.object({
  started_ms: z.number(),
  /** Null while it has no final one. */
  verdict: z.enum(VERDICTS).nullable(),
  /** The time to its settled record was observed, and its charge counted. */
  settled: z.boolean(),
});
export type AuditedCall = Shape<typeof auditedCall>;

/** What audits of own calls have counted: it outlives the daemon, so that nothing is counted twice. */
const auditState = z.object({
  schema: z.literal(AUDIT_STATE_SCHEMA),
  /** By call id. */
  calls: z.record(z.string(), auditedCall),
  /** Findings by what they are about, with when each was counted, ms since the epoch. */
  findings: z.record(z.string(), z.number()),
});
export type AuditState = Shape<typeof auditState>;

export const NOTHING_AUDITED: AuditState = { schema: AUDIT_STATE_SCHEMA, calls: {}, findings: {} };

/** Gives null for a file that another program wrote. Throws `state_version` for one of another version of ours. */
export function readAuditState(file: string): AuditState | null {
  if (!existsSync(file)) return NOTHING_AUDITED;
  const read = jsonOf(readFileSync(file, 'utf8'));
  refuseOtherVersion(file, read, AUDIT_STATE_SCHEMA);
  return auditState.safeParse(read).data ?? null;
}

/** A crash leaves the old file or the new one. */
export function writeAuditState(file: string, state: AuditState): void {
  mkdirSync(dirname(file), { recursive: true });
  replaceFile(file, `${JSON.stringify(state)}\n`, { flush: true });
}
