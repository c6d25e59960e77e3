import type { BOOK_CHANGES } from '../../contracts/metrics/label-values.ts';
import type { PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import { addRational, compareRational, RATIONAL_ZERO, type Rational } from '../../core/rational.ts';
import { adjustedBy, UNADJUSTED } from '../../pricebook/charge/adjust-sum.ts';
import { exact, rationalText, unitPrice } from '../../pricebook/charge/charge-term.ts';
import { priceLines } from '../../pricebook/charge/price-lines.ts';

type BookChange = (typeof BOOK_CHANGES)[number];

/** One thing in which two readings of a price book differ. */
export interface BookDifference {
  readonly change: Exclude<BookChange, 'unparsed'>;
  /** Null where it holds for all models. */
  readonly model: string | null;
  /** The price line; empty for a whole model. */
  readonly line: string;
  /** USD for one unit, a factor or a version; null where it was or is not there. */
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * What changed between two price books. A price that is new stands against what its units cost before: tokens of the
 * cache were plain input, other units cost nothing.
 */
export function bookChanges(before: PriceBook, after: PriceBook): readonly BookDifference[] {
  const [old, now] = [modelsOf(before), modelsOf(after)];
  const removed = [...old]
    .filter((model) => !now.has(model))
    .map((model) => wholeModel(model, 'model_removed'));
  const added = [...now].filter((model) => !old.has(model)).map((model) => wholeModel(model, 'model_added'));
  const prices = [...now]
    .filter((model) => old.has(model))
    .flatMap((model) => differences(model, linesOf(before, model), linesOf(after, model)));
  const factors = differences(null, factorsOf(before), factorsOf(after));
  const found = [...removed, ...added, ...prices, ...factors];
  if (found.length > 0) return found;
  const [from, to] = [versionOf(before), versionOf(after)];
  return from === to ? [] : [{ change: 'version_only', model: null, line: '', from, to }];
}

function modelsOf(book: PriceBook): ReadonlySet<string> {
  return new Set(book.models.map(({ model }) => model));
}

function wholeModel(model: string, change: 'model_added' | 'model_removed'): BookDifference {
  return { change, model, line: '', from: null, to: null };
}

interface Lines {
  readonly prices: ReadonlyMap<string, Rational>;
  /** What the units of a line cost where it is missing. */
  without(line: string): Rational;
}

function linesOf(book: PriceBook, model: string): Lines {
  const own = priceLines(book, model).filter(({ entry }) => entry.model === model);
  const prices = new Map(own.map(({ line, component }) => [line, unitPrice(component)]));
  const meters = new Map(own.map(({ line, component }) => [line, component.meter]));
  const minimum = book.models.find((entry) => entry.model === model)?.minimum;
  if (minimum !== null && minimum !== undefined) prices.set('minimum', exact(minimum.amount));
  const input = own.find(({ component }) => component.meter === 'input_token')?.component;
  return { prices, without: (line) => withoutLine(meters.get(line) ?? line, input) };
}

function withoutLine(line: string, input: PriceComponent | undefined): Rational {
  return /^cache_(read|write)_token\b/.test(line) && input !== undefined ? unitPrice(input) : RATIONAL_ZERO;
}

/** Adjustments by what they do to 1 USD, and the minimum of the book. */
function factorsOf(book: PriceBook): Lines {
  const prices = new Map(
    book.adjustments.map((each) => {
      const scope = [each.model, each.endpoint, each.group, each.valid_from].filter((part) => part !== null);
      const { times, plus } = adjustedBy(UNADJUSTED, each);
      return [[`factor ${each.name}`, ...scope].join(' '), addRational(times, plus)] as const;
    }),
  );
  if (book.minimum !== null) prices.set('minimum', exact(book.minimum.amount));
  return { prices, without: (line) => (line === 'minimum' ? RATIONAL_ZERO : UNADJUSTED.times) };
}

function differences(model: string | null, before: Lines, after: Lines): readonly BookDifference[] {
  const names = new Set([...before.prices.keys(), ...after.prices.keys()]);
  return [...names].flatMap((line): BookDifference[] => {
    const [from, to] = [before.prices.get(line) ?? null, after.prices.get(line) ?? null];
    const order = compareRational(to ?? after.without(line), from ?? before.without(line));
    if (order === 0) return [];
    const change = order > 0 ? 'price_up' : 'price_down';
    return [{ change, model, line, from: textOf(from), to: textOf(to) }];
  });
}

function textOf(price: Rational | null): string | null {
  return price === null ? null : rationalText(price);
}

function versionOf({ pricebook_id, pricing_version }: PriceBook): string {
  return `${pricebook_id} ${pricing_version}`;
}
