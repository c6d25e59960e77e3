import type { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** Where something stands in a file of evidence. Lines count from 1. */
export interface EvidencePlace {
  readonly file: string;
  readonly line: number;
}

const MOST_ISSUES = 3;

/** A line, span or row that cannot be read: nothing is skipped, so all of the file is refused. */
export function evidenceCorrupt({ file, line }: EvidencePlace, what: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'evidence_corrupt',
    message: `${file}:${line}: ${what}`,
    hint: 'Correct that entry or its mapping, or export the file again. docs/evidence.md shows each format.',
  });
}

export function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, MOST_ISSUES)
    .map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`))
    .join('; ');
}

/** The value by a schema; throws `evidence_corrupt` with its place. */
export function parsed<Value>(schema: z.ZodType<Value>, value: unknown, place: EvidencePlace): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw evidenceCorrupt(place, issuesOf(result.error));
}
