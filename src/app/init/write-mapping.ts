import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { type BookPreview, previewBytes } from '../target/preview-book.ts';
import { refuseExisting } from './write-config.ts';

/** A price book of the user's, and how the configuration names it. */
export interface OwnBook {
  /** What was understood; null where nothing was. */
  readonly preview: BookPreview | null;
  /** The same as a price book, to plan by. */
  readonly book: PriceBook | null;
  readonly problems: readonly string[];
  /** Absolute path; null where a reader knows the layout, so that none is needed. */
  readonly mapping: string | null;
  /** The block of the configuration; its paths start from there. */
  readonly billing: readonly string[];
}

/**
 * Reads the book and writes its mapping beside the configuration `out`. Throws `config_exists` where a mapping that is
 * not to be replaced stands there, `book_missing` and `mapping_not_written` (exit 2).
 */
export function writeMapping(
  book: string,
  { out, replace }: { readonly out: string; readonly replace: boolean },
): OwnBook {
  const bytes = bytesOf(book);
  const read = previewBytes(bytes, null);
  const priced = readPriceBook(bytes);
  const preview = 'unreadable' in read ? null : read;
  const problems = 'unreadable' in read ? read.unreadable : read.left_out;
  const folder = resolve(dirname(out));
  const known = preview !== null && preview.reader !== 'fields';
  const mapping = known ? null : join(folder, `${basename(book).replace(/\.[^.]+$/, '')}.mapping.yaml`);
  if (mapping !== null) {
    if (!replace) refuseExisting(mapping);
    write(mapping, mappingText(basename(book), preview, problems));
  }
  const named = [
    `file: ${JSON.stringify(relative(folder, resolve(book)))}`,
    ...(mapping === null ? [] : [`mapping: ${JSON.stringify(relative(folder, mapping))}`]),
  ];
  return {
    preview,
    book: 'unreadable' in priced ? null : priced.book,
    problems,
    mapping,
    billing: [
      'billing:',
      `  book: { ${named.join(', ')} } # weighbridge pricebook preview shows what it reads`,
      '',
    ],
  };
}

/** A mapping that reads what was understood, and says as comments what was not and what to fill in. */
function mappingText(name: string, preview: BookPreview | null, problems: readonly string[]): string {
  const per = preview?.prices.find(({ meter }) => meter.endsWith('_token'))?.per ?? null;
  const unit =
    preview === null ? '# tokens_per: thousand # or token, or million' : `tokens_per: ${per ?? 'million'}`;
  return [
    `# How Weighbridge reads ${name}; docs/pricebooks.md describes every key.`,
    'schema: weighbridge.mapping/1',
    '',
    '# How many tokens a price is for where no word of the book tells it. The rest is read by the names of the fields.',
    unit,
    '',
    ...(problems.length === 0
      ? ['# All its figures were understood.']
      : [
          '# Not understood:',
          ...problems.flatMap((problem) => problem.split('\n')).map((line) => `# - ${line}`),
          '#',
          '# To read them, say where each price stands: take the "#" away, and put the names of your book.',
          '# lists:',
          '#   - each: "models[*]"          # one model or row: a.* is every key, a[*] every item',
          '#     fields:',
          '#       model: id                # or $key, where the key is the model',
          '#       input: { path: prices.in, per: 1000 }',
          '#       output: { path: prices.out, per: 1000 }',
          '#     # variants: { each: "sizes[*]", image: { path: usd }, size: name, quality: level }',
          '# sizes: { S: [1024x1024] }      # what a class of sizes stands for',
          '# groups: { each: groups.*, name: $key, factor: "" }',
          '# ignore: [notes]                # what holds no price',
        ]),
    '',
  ].join('\n');
}

function bytesOf(book: string): Uint8Array {
  try {
    return readFileSync(book);
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'book_missing',
      message: `The price list ${book} of --pricebook does not exist or cannot be read.`,
      hint: 'Give the path of a file. To read the price list of a gateway, use weighbridge pricebook preview.',
      cause,
    });
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'mapping_not_written',
      message: `The mapping ${file} could not be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Give --out an existing folder that you can write to.',
      cause,
    });
  }
}
