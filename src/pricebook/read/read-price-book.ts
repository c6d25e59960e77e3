import { createHash } from 'node:crypto';
import { type PriceBook, type Rounding, UNKNOWN_SEMANTICS } from '../../contracts/price-book.ts';
import { AMOUNT_SCALE } from '../../core/amount.ts';
import { normalise, parseDecimal } from '../../core/decimal.ts';
import type { AdaptedBook, UnsupportedPrice } from '../adapters/book-adapter.ts';
import { DEFAULT_ROUNDING, plainBook } from '../adapters/plain-model.ts';
import { type UnmappedKey, UnmappedKeys } from '../adapters/unmapped-keys.ts';
import { adaptBook, type BookOptions } from './adapt-book.ts';
import { bookContent } from './book-content.ts';

/** What an adapter could read of a book. */
interface BookCoverage {
  /** Name of the reader; null where none knows the layout. */
  readonly adapter: string | null;
  readonly models_mapped: number;
  readonly models_total: number;
  readonly unmapped_keys: readonly UnmappedKey[];
  readonly unsupported: readonly UnsupportedPrice[];
  readonly assumptions: readonly string[];
}

/** A point where the book may be silent, and how it was filled. */
export interface BookSetting {
  readonly name: 'rounding' | 'input_includes_cache' | 'cache_without_price';
  readonly value: string;
  readonly evidence:
    | 'published by the target'
    | 'told by the price book given by hand'
    | 'declared by default'
    | 'not told by the book'
    | `declared in ${string}`;
}

export interface ReadBook {
  readonly book: PriceBook;
  readonly coverage: BookCoverage;
  readonly settings: readonly BookSetting[];
  /** A key that no rule reads holds a figure, so that any price may be another one. */
  readonly partial: boolean;
  /** Those models alone have such keys; null where the book as a whole has one. */
  readonly doubted_models: ReadonlySet<string> | null;
  /** False: `book.rounding` is ours, for bounds and plans alone; no amount is wrong by it. */
  readonly rounding_declared: boolean;
  /** USD of which every charge is a multiple, where the target tells that and not the direction of its rounding. */
  readonly rounding_unit: string | null;
  /** False: the source names no id and version, so that it is the book of every record. */
  readonly identified: boolean;
}

export type BookReading =
  | ReadBook
  | { readonly unreadable: readonly string[]; readonly sha256: string; readonly coverage: BookCoverage };

const MOST_REASONS = 10;
const NOTHING: BookCoverage = {
  adapter: null,
  models_mapped: 0,
  models_total: 0,
  unmapped_keys: [],
  unsupported: [],
  assumptions: [],
};

/**
 * Normalises a price book as served, or as written by hand. Keys that no rule reads are listed, and make the book
 * `partial` where they hold a figure. What cannot be read at all is `unreadable`, with reasons; nothing is thrown.
 */
export function readPriceBook(bytes: Uint8Array, options: BookOptions = {}): BookReading {
  const sha256 = sha256Of(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { unreadable: ['expected JSON in UTF-8'], sha256, coverage: NOTHING };
  }
  const unmapped = new UnmappedKeys();
  const adapted = adaptBook(text, options, unmapped);
  if ('unreadable' in adapted) return { unreadable: adapted.unreadable, sha256, coverage: NOTHING };
  const { kind, adapter, reading } = adapted;
  if ('unreadable' in reading) {
    return { unreadable: reading.unreadable, sha256, coverage: { ...NOTHING, adapter } };
  }
  const coverage: BookCoverage = {
    adapter,
    models_mapped: new Set(reading.parts.models.map(({ model }) => model)).size,
    models_total: reading.models_total,
    unmapped_keys: unmapped.list(),
    unsupported: reading.unsupported,
    assumptions: reading.assumptions,
  };
  const reasons = faultsOf(reading);
  if (reasons.length > 0) return { unreadable: reasons.slice(0, MOST_REASONS), sha256, coverage };
  const { pricebook_id, pricing_version } = reading.parts;
  const untold = plainBook({ kind, sha256, fetched_at: null }, reading.parts.models, {
    ...reading.parts,
    pricebook_id: pricebook_id ?? kind,
    pricing_version: '',
    rounding: reading.rounding ?? DEFAULT_ROUNDING,
  });
  // A list without a version is the same one as long as its prices are, in whatever order they come.
  const book = { ...untold, pricing_version: pricing_version ?? textSha256(bookContent(untold)) };
  return {
    book,
    coverage,
    settings: settingsOf(book, reading),
    partial: coverage.unmapped_keys.some(({ may_price }) => may_price),
    doubted_models: unmapped.doubted(),
    rounding_declared: reading.rounding !== null,
    rounding_unit: reading.rounding_unit ?? null,
    identified: pricebook_id !== undefined && pricing_version !== undefined,
  };
}

/** Lower-case hex; the name that bytes have in an archive. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * The same for two books of one id, version and prices, whatever their order; of what cannot be read, that of its bytes.
 */
export function servedContent(reading: BookReading): string {
  if ('unreadable' in reading) return reading.sha256;
  const { pricebook_id, pricing_version } = reading.book;
  return textSha256(JSON.stringify([pricebook_id, pricing_version, bookContent(reading.book)]));
}

function textSha256(text: string): string {
  return sha256Of(Buffer.from(text));
}

function faultsOf({ parts, rounding }: AdaptedBook): readonly string[] {
  const { models } = parts;
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { model, match, when, endpoints, valid_from, valid_to, time_of_day, priority } of models) {
    const key = JSON.stringify([match, when, endpoints, valid_from, valid_to, time_of_day, priority]);
    if (seen.has(key)) twice.add(model);
    seen.add(key);
  }
  return [
    ...(models.length === 0 ? ['models: none was read'] : []),
    ...(rounding === null ? [] : badQuantum(rounding)),
    ...[...twice].map((model) => `models: ${JSON.stringify(model)} stands twice`),
    ...models
      .filter(({ components }) => components.length === 0)
      .map(({ model }) => `models: ${JSON.stringify(model)} has no price`),
  ];
}

function badQuantum({ quantum: text }: Rounding): readonly string[] {
  const quantum = parseDecimal(text);
  if (quantum === null || quantum.digits <= 0n) return ['rounding.quantum: expected a positive decimal'];
  return normalise(quantum).scale > AMOUNT_SCALE
    ? [`rounding.quantum: more than ${AMOUNT_SCALE} decimals`]
    : [];
}

const ROUNDED: Readonly<Record<Rounding['scope'], string>> = {
  record: 'once a record',
  component: 'once a component',
  none: 'once a none',
  untold: 'once a record or once a component, which is not told',
};

function settingsOf(
  book: PriceBook,
  { parts, rounding, rounding_unit = null }: AdaptedBook,
): readonly BookSetting[] {
  const includes = (parts.usage_semantics ?? UNKNOWN_SEMANTICS).input_includes_cache;
  return [
    rounding === null
      ? {
          name: 'rounding',
          value: rounding_unit === null ? 'undeclared' : `to multiples of ${rounding_unit} USD`,
          evidence: rounding_unit === null ? 'not told by the book' : 'published by the target',
        }
      : {
          name: 'rounding',
          value: `${rounding.mode} to ${rounding.quantum} USD, ${ROUNDED[rounding.scope]}`,
          evidence: 'published by the target',
        },
    {
      name: 'input_includes_cache',
      value: includes,
      evidence: includes === 'unknown' ? 'declared by default' : 'published by the target',
    },
    ...cacheSetting(book),
  ];
}

/** The book is silent on cached tokens of models without a cache price. */
function cacheSetting(book: PriceBook): readonly BookSetting[] {
  const silent = book.models.some(
    ({ kind, components }) =>
      kind === 'text' && !components.some(({ meter }) => meter === 'cache_read_token'),
  );
  if (!silent) return [];
  return [{ name: 'cache_without_price', value: 'charged as plain input', evidence: 'declared by default' }];
}
