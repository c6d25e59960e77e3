import { collectLedger, type LoadedLedger } from '../load-ledger.ts';
import { parseLedgerLine } from '../parse-ledger-line.ts';
import { corruptLedger, type LedgerItem } from '../read-ledger.ts';
import { textLines } from '../text-lines.ts';
import type { PickedLine } from './pick-lines.ts';
import type { TornFile } from './torn-tail.ts';

/**
 * What picked lines of ledger files come to, in the loader's own form. `note` is told the call id, in its JSON form, of
 * the line at a place; null where it has none. `elsewhere` as for `collectLedger`. Throws as `loadLedger` does.
 */
export async function restLedger(
  lines: AsyncIterable<PickedLine>,
  note: (place: number, id: string | null) => void,
  torn: readonly TornFile[],
  elsewhere: ReadonlyMap<string, number>,
): Promise<LoadedLedger> {
  async function* items(): AsyncGenerator<LedgerItem, void, undefined> {
    for await (const { file, number, place, text, wanted } of lines) {
      const at = { file, line: number };
      const parsed = parseLedgerLine(text);
      if ('damaged' in parsed) throw corruptLedger(file, number, parsed.damaged);
      if (!wanted) continue;
      if ('unknown_schema' in parsed) {
        yield { ...at, unknown_schema: parsed.unknown_schema };
        continue;
      }
      note(place, 'call_id' in parsed.line ? JSON.stringify(parsed.line.call_id) : null);
      yield { ...at, value: parsed.line };
    }
    for (const { file, tail } of torn) {
      const parsed = parseLedgerLine(tail);
      const what = 'damaged' in parsed ? parsed.damaged : 'not ended';
      yield { file, line: await lineCount(file), problem: `truncated last line: ${what}` };
    }
  }
  return collectLedger(items(), elsewhere);
}

async function lineCount(file: string): Promise<number> {
  let count = 0;
  for await (const { number } of textLines(file)) count = number;
  return count;
}
