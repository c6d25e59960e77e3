import { createHash } from 'node:crypto';
import { AMOUNT_SCALE } from '../core/amount.ts';
import { formatDecimal, normalise, parseDecimal, parseNumberText } from '../core/decimal.ts';
import {
  type Adjustment,
  type BookRounding,
  type ModelPrice,
  PRICE_BOOK_SCHEMA,
  type PriceBook,
  type PriceComponent,
  type UsageSemantics,
} from '../core/price-book.ts';
import { parseLosslessJson } from './lossless-json.ts';
import { type ModelEntry, type PriceBookDocument, priceBookDocument } from './price-book-document.ts';
import { unmappedKeys } from './unmapped-keys.ts';

/** What an adapter could read of a book. */
export interface BookCoverage {
  readonly models_mapped: number;
  readonly unmapped_keys: readonly string[];
}

/** A point where the book may be silent, and how it was filled. */
export interface BookSetting {
  readonly name: 'rounding' | 'input_includes_cache' | 'cache_without_price';
  readonly value: string;
  readonly evidence: 'published by the target' | 'declared by default';
}

export type BookReading =
  | {
      readonly book: PriceBook;
      readonly coverage: BookCoverage;
      readonly settings: readonly BookSetting[];
    }
  | { readonly unreadable: readonly string[]; readonly sha256: string; readonly coverage: BookCoverage };

const DEFAULT_ROUNDING: BookRounding = { quantum: '0.00000001', mode: 'half_up' };
const MOST_REASONS = 10;

/**
 * Normalises a price book as served. A book that is not read in full is `unreadable`, with reasons: an unknown key
 * that holds a figure may change any price. Unknown keys without a figure are listed and left aside.
 */
export function readPriceBook(bytes: Uint8Array): BookReading {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const nothing: BookCoverage = { models_mapped: 0, unmapped_keys: [] };
  let raw: unknown;
  try {
    raw = parseLosslessJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { unreadable: ['expected JSON in UTF-8'], sha256, coverage: nothing };
  }
  const parsed = priceBookDocument.safeParse(raw);
  if (!parsed.success) {
    const reasons = parsed.error.issues
      .slice(0, MOST_REASONS)
      .map((issue) => `${issue.path.join('.') || 'the book'}: ${issue.message}`);
    return { unreadable: reasons, sha256, coverage: nothing };
  }
  return normaliseDocument(parsed.data, sha256);
}

function normaliseDocument(document: PriceBookDocument, sha256: string): BookReading {
  const unmapped = unmappedKeys(document);
  const coverage = {
    models_mapped: document.models.length,
    unmapped_keys: unmapped.map(({ path }) => path),
  };
  const reasons = [
    ...unmapped
      .filter(({ may_price }) => may_price)
      .map(({ path }) => `${path}: unknown key that holds a figure`),
    ...badQuantum(document.rounding?.quantum),
    ...repeatedModels(document.models),
    ...unpricedModels(document.models),
  ];
  if (reasons.length > 0) return { unreadable: reasons.slice(0, MOST_REASONS), sha256, coverage };
  const rounding = document.rounding ?? DEFAULT_ROUNDING;
  const includes = document.usage_semantics?.input_includes_cache;
  const book: PriceBook = {
    schema: PRICE_BOOK_SCHEMA,
    pricebook_id: document.pricebook_id,
    pricing_version: document.pricing_version,
    currency: 'USD',
    source: { kind: 'gateway-pricing', sha256 },
    rounding: { quantum: plain(rounding.quantum), mode: rounding.mode },
    usage_semantics: { input_includes_cache: semanticsOf(includes) },
    models: document.models.map(modelPrice),
    adjustments: (document.adjustments ?? []).map(
      ({ name, factor, model }): Adjustment => ({ name, factor: plain(factor), model: model ?? null }),
    ),
  };
  return {
    book,
    coverage,
    settings: [
      {
        name: 'rounding',
        value: `${book.rounding.mode} to ${book.rounding.quantum} USD, once a record`,
        evidence: evidenceOf(document.rounding),
      },
      {
        name: 'input_includes_cache',
        value: book.usage_semantics.input_includes_cache,
        evidence: evidenceOf(includes),
      },
      ...cacheSetting(book),
    ],
  };
}

function modelPrice(entry: ModelEntry): ModelPrice {
  const components = componentsOf(entry);
  const most = entry.kind === 'text' ? entry.max_output_tokens : null;
  return {
    model: entry.id,
    kind: entry.kind,
    max_output_tokens: most === null || most === undefined ? null : Number(most),
    components,
  };
}

function componentsOf(entry: ModelEntry): readonly PriceComponent[] {
  switch (entry.kind) {
    case 'text':
      return [
        ...perMillion('input_token', entry.input),
        ...perMillion('output_token', entry.output),
        ...perMillion('cache_read_token', entry.cache_read),
        ...perMillion('cache_write_token', entry.cache_write),
        ...flat('request', entry.request),
      ];
    case 'image':
      return [
        ...flat('image', entry.price),
        ...(entry.tiers ?? []).map(
          ({ size, quality, price }): PriceComponent => ({
            meter: 'image',
            price: plain(price),
            per: '1',
            ...(typeof size === 'string' ? { size } : {}),
            ...(typeof quality === 'string' ? { quality } : {}),
          }),
        ),
      ];
    case 'video':
      return [
        ...flat('video_second', entry.price),
        ...(entry.tiers ?? []).map(
          ({ resolution, price }): PriceComponent => ({
            meter: 'video_second',
            price: plain(price),
            per: '1',
            ...(typeof resolution === 'string' ? { resolution } : {}),
          }),
        ),
      ];
  }
}

function perMillion(
  meter: PriceComponent['meter'],
  price: string | null | undefined,
): readonly PriceComponent[] {
  return price === null || price === undefined ? [] : [{ meter, price: plain(price), per: '1000000' }];
}

function flat(meter: PriceComponent['meter'], price: string | null | undefined): readonly PriceComponent[] {
  return price === null || price === undefined ? [] : [{ meter, price: plain(price), per: '1' }];
}

function badQuantum(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const quantum = parseNumberText(text);
  if (quantum === null || quantum.digits <= 0n) return ['rounding.quantum: expected a positive decimal'];
  return normalise(quantum).scale > AMOUNT_SCALE
    ? [`rounding.quantum: more than ${AMOUNT_SCALE} decimals`]
    : [];
}

function repeatedModels(models: readonly ModelEntry[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of models) (seen.has(id) ? repeated : seen).add(id);
  return [...repeated].map((id) => `models: ${JSON.stringify(id)} stands twice`);
}

function unpricedModels(models: readonly ModelEntry[]): readonly string[] {
  return models
    .filter((model) => componentsOf(model).length === 0)
    .map(({ id }) => `models: ${JSON.stringify(id)} has no price`);
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

function semanticsOf(includes: boolean | null | undefined): UsageSemantics['input_includes_cache'] {
  return includes === true ? 'yes' : includes === false ? 'no' : 'unknown';
}

function evidenceOf(published: unknown): BookSetting['evidence'] {
  return published === null || published === undefined ? 'declared by default' : 'published by the target';
}

/** Plain notation of a number text that was validated before. */
function plain(text: string): string {
  const value = parseDecimal(text) ?? parseNumberText(text);
  if (value === null) throw new RangeError(`read-price-book: not a number: ${JSON.stringify(text)}`);
  return formatDecimal(normalise(value));
}
