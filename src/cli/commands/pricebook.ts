import { Argument, type Command } from 'commander';
import { previewBook } from '../../app/target/preview-book.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { previewLines } from './preview-lines.ts';

interface PricebookFlags {
  readonly mapping?: string;
  readonly json?: boolean;
}

/** `weighbridge pricebook`. */
export function pricebookCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('pricebook')
    .addArgument(new Argument('<action>', 'what to do with the price list').choices(['preview']))
    .argument('<book>', 'a file, or the address of a gateway')
    .description(
      'Show which prices Weighbridge can read from a price list. Exits with 7 if it cannot read all of them.',
    )
    .option('--mapping <file>', 'file that describes the layout of the price list')
    .option('--json', 'print one JSON line')
    .action(async (_action: string, book: string, flags: PricebookFlags) => {
      const preview = await previewBook(book, flags.mapping, terminal.env);
      printAnswer(terminal, flags.json, preview, () => previewLines(preview));
      finish(preview.in_full ? EXIT.ok : EXIT.inconclusive);
    });
}
