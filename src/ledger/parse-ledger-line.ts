import { z } from 'zod';
import { LEDGER_LINES, type LedgerLine } from '../contracts/ledger-lines.ts';

export type ParsedLine =
  | { readonly line: LedgerLine }
  | { readonly unknown_schema: string }
  | { readonly damaged: string };

const MOST_ISSUES = 3;
const anyLine = z.looseObject({ schema: z.string() });

/** Reads one line of a ledger file; whatever is wrong with it is said, never thrown. */
export function parseLedgerLine(text: string): ParsedLine {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { damaged: 'expected one JSON object, found text that is not JSON' };
  }
  const named = anyLine.safeParse(raw);
  if (!named.success) return { damaged: 'expected a JSON object with a schema' };
  const { schema } = named.data;
  if (!isKnownSchema(schema)) return { unknown_schema: schema };
  const parsed = LEDGER_LINES[schema].safeParse(raw);
  if (parsed.success) return { line: parsed.data };
  const issues = parsed.error.issues.slice(0, MOST_ISSUES);
  return {
    damaged: `${schema}: ${issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`,
  };
}

function isKnownSchema(schema: string): schema is keyof typeof LEDGER_LINES {
  return Object.hasOwn(LEDGER_LINES, schema);
}
