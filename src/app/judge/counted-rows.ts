import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AnswerText, CallRow } from '../../contracts/ledger-lines.ts';
import type { Plan } from '../../contracts/plan.ts';
import { readAnswerTexts } from '../../ledger/answer-texts.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { withOutputTokens } from '../../measure/counted-output.ts';
import { countByEncoding } from '../../reconcile/tokens/token-count-encodings.ts';
import { type CountTokens, tokenizerOf } from '../../text/tokenizer-file.ts';

/** The rows with output tokens as the plan's tokenizer counts the kept texts; as they are where the server counts. */
export async function countedRows(
  { tokenizer }: Pick<Plan, 'tokenizer'>,
  { rows, text_files }: Pick<LoadedLedger, 'rows' | 'text_files'>,
): Promise<readonly CallRow[]> {
  if (tokenizer === undefined || tokenizer === 'server') return rows;
  const count = counterOf(tokenizer);
  const counts = new Map<string, number>();
  // The texts of one file at a time: those of a long run would not fit into memory together.
  for (const file of count === null ? [] : text_files) {
    for (const [callId, answer] of await readAnswerTexts([file], rows)) {
      if (count !== null && isWhole(answer)) counts.set(callId, count(answer.text));
    }
  }
  return withOutputTokens(rows, counts);
}

/** False where the answer had reasoning or calls of tools, too: they are output, and their text is not kept. */
function isWhole({ beside }: AnswerText): boolean {
  return beside.every((part) => part === 'refusal');
}

/** Null for a file that is gone, or is not the one that was planned with. */
function counterOf(tokenizer: NonNullable<Plan['tokenizer']>): CountTokens | null {
  if (typeof tokenizer === 'string') return (text) => countByEncoding('o200k_base', text);
  let text: string;
  try {
    text = readFileSync(tokenizer.file, 'utf8');
  } catch {
    return null;
  }
  if (createHash('sha256').update(text).digest('hex') !== tokenizer.sha256) return null;
  const count = tokenizerOf(text);
  return typeof count === 'function' ? count : null;
}
