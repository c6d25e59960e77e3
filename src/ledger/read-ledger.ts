import { WeighbridgeError } from '../contracts/failure.ts';
import type { LedgerLine } from '../contracts/ledger-lines.ts';
import { type LedgerPath, ledgerFiles } from './ledger-files.ts';
import { parseLedgerLine } from './parse-ledger-line.ts';
import { type TextLine, textLines } from './text-lines.ts';

/** One line of a ledger, or what is wrong with it. */
export type LedgerItem = { readonly file: string; readonly line: number } & (
  | { readonly value: LedgerLine }
  | { readonly unknown_schema: string }
  | { readonly problem: string }
);

/**
 * Reads ledger files, in the order that `ledgerFiles` gives and of their lines.
 * A damaged last line of a file is a problem (its writer was killed); anywhere else it throws `ledger_corrupt`.
 */
export async function* readLedger(path: LedgerPath): AsyncGenerator<LedgerItem, void, undefined> {
  for (const file of await ledgerFiles(path)) {
    let damaged: { readonly at: TextLine; readonly what: string } | null = null;
    for await (const at of textLines(file)) {
      if (damaged !== null) throw corruptLedger(file, damaged.at.number, damaged.what);
      const parsed = parseLedgerLine(at.text);
      if ('damaged' in parsed) damaged = { at, what: parsed.damaged };
      else if ('line' in parsed) yield { file, line: at.number, value: parsed.line };
      else yield { file, line: at.number, unknown_schema: parsed.unknown_schema };
    }
    if (damaged !== null) {
      const kind = damaged.at.ended ? 'damaged' : 'truncated';
      yield { file, line: damaged.at.number, problem: `${kind} last line: ${damaged.what}` };
    }
  }
}

/** A damaged line that is not the last of its file. We wrote it, unless the command was handed the file. */
export function corruptLedger(file: string, line: number, what: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'ledger_corrupt',
    message: `${file}:${line}: ${what}`,
    hint: 'Restore the file, or leave it out. Only the last line of a ledger file may be damaged.',
  });
}
