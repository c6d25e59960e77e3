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
    .addArgument(new Argument('<action>', 'what to do with it').choices(['preview']))
    .argument('<book>', 'a file, or the address of a gateway')
    .description(
      'show the prices that are understood of a price book, and what is left out and why; exit 7 in part',
    )
    .option('--mapping <file>', 'says where the prices stand in a layout of its own')
    .option('--json', 'for programs: one line of JSON')
    .action(async (_action: string, book: string, flags: PricebookFlags) => {
      const preview = await previewBook(book, flags.mapping, terminal.env);
      printAnswer(terminal, flags.json, preview, () => previewLines(preview));
      finish(preview.in_full ? EXIT.ok : EXIT.inconclusive);
    });
}
