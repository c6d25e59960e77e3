import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type AnswerText, answerText, type CallRow } from '../contracts/ledger-lines.ts';
import { jsonOf } from '../text/json-of.ts';
import { textLines } from './text-lines.ts';

/** Where the text of a row stands; null for a name that leads out of the folder of its ledger file. */
export function answerTextFile(ledgerFile: string, textRef: string): string | null {
  if (textRef !== basename(textRef) || textRef === '' || textRef === '.' || textRef === '..') return null;
  return join(dirname(ledgerFile), textRef);
}

/**
 * What the answers of these rows said, by call id. A text that is not there, cannot be read, or is not the one that the
 * row has the hash of (one that held the key, above all) is absent: nothing is known of it.
 */
export async function readAnswerTexts(
  files: readonly string[],
  rows: readonly CallRow[],
): Promise<ReadonlyMap<string, AnswerText>> {
  const wanted = new Map(rows.map(({ call_id, text_sha256 }) => [call_id, text_sha256]));
  const found = new Map<string, AnswerText>();
  if (wanted.size === 0) return found;
  for (const file of files) {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
    for await (const { text: line } of textLines(file)) {
      const parsed = answerText.safeParse(jsonOf(line));
      if (!parsed.success) continue;
      const { call_id, text } = parsed.data;
      if (!wanted.has(call_id) || digestOf(text) !== wanted.get(call_id)) continue;
      found.set(call_id, parsed.data);
    }
  }
  return found;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
