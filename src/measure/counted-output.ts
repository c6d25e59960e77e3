import { basename } from 'node:path';
import type { CallRow } from '../contracts/ledger-lines.ts';
import type { LoadResult } from '../contracts/load-result.ts';
import type { Plan } from '../contracts/plan.ts';
import { isTextKind } from '../core/call-kind.ts';
import type { LogicalCall } from './logical-call.ts';

const NOTHING_TOLD = {
  input: null,
  output: null,
  cache_read: null,
  cache_write: null,
  reasoning: null,
  raw: null,
};

/**
 * The rows with output tokens as they were counted, by call id. What was not counted is not known: the server's count
 * beside one's own would make a sum that neither of them gives.
 */
export function withOutputTokens(
  rows: readonly CallRow[],
  counts: ReadonlyMap<string, number>,
): readonly CallRow[] {
  return rows.map((row) => {
    if (!isTextKind(row.kind)) return row;
    const output = counts.get(row.call_id) ?? null;
    if (output === null && row.usage === null) return row;
    return { ...row, usage: { ...(row.usage ?? NOTHING_TOLD), output } };
  });
}

/** Who counted, and how many of the text answers have a count; absent where a bill is the point and nobody said who should. */
export function whoCounted(
  { tokenizer: named, target }: Pick<Plan, 'tokenizer' | 'target'>,
  calls: readonly LogicalCall[],
): Pick<LoadResult, 'output_tokens'> {
  const tokenizer = named ?? (target.bill === 'none' ? 'server' : undefined);
  if (tokenizer === undefined) return {};
  const by = typeof tokenizer === 'string' ? tokenizer : basename(tokenizer.file);
  const answers = calls.filter(({ last }) => last.outcome === 'ok' && isTextKind(last.kind));
  const known = answers.filter(({ last }) => (last.usage?.output ?? null) !== null).length;
  return { output_tokens: { by, known, of: answers.length } };
}
