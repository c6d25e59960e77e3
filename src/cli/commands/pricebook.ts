import { Argument, type Command } from 'commander';
import { type BookPreview, previewBook } from '../../app/target/preview-book.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

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

const TITLES = ['model', 'kind', 'meter', 'USD', 'per', 'where'];
/** Price and units stand at the right. */
const FIGURES = [3, 4];

function previewLines(preview: BookPreview): readonly string[] {
  const { prices, reader, rounding, cache_in_input, adjustments, assumed, left_out, unread } = preview;
  const rows = prices.map(({ model, kind, meter, usd, per, when }) => [
    model,
    kind,
    meter,
    usd,
    per,
    when.join(', '),
  ]);
  const cache = { yes: 'inside the input', no: 'beside the input', unknown: 'not told by the book' };
  return [
    ...alignedRows([TITLES, ...rows], (column) => !FIGURES.includes(column)),
    '',
    `reader: ${reader ?? 'none'}`,
    `rounding: ${rounding}`,
    `tokens read from the cache: ${cache[cache_in_input]}`,
    ...adjustments.map((text) => `adjusted: ${text}`),
    ...assumed.map((text) => `taken as given: ${text}`),
    ...left_out.map((text) => `left out: ${text}`),
    ...(unread.length === 0 ? [] : [`without a figure, so no price: ${unread.join(', ')}`]),
    preview.in_full ? 'read in full' : 'read in part',
  ];
}
