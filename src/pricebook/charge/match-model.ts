import type { ModelMatch, ModelPrice, PriceBook } from '../../contracts/price-book.ts';
import { isTokenKind, type PaidKind } from '../../core/call-kind.ts';
import type { ChargeContext } from './charge-context.ts';
import { isAtTimeOfDay, isInForce } from './in-force.ts';
import type { Unpriced } from './unpriced.ts';

interface BookIndex {
  readonly exact: ReadonlyMap<string, readonly ModelPrice[]>;
  readonly patterns: readonly ModelPrice[];
}

const indexes = new WeakMap<PriceBook, BookIndex>();
const expressions = new Map<string, RegExp>();

/** All entries whose pattern fits a model id, whatever else they ask. */
export function entriesOf(book: PriceBook, model: string): readonly ModelPrice[] {
  const { exact, patterns } = indexOf(book);
  const own = exact.get(model) ?? [];
  return patterns.length === 0 ? own : [...own, ...patterns.filter(({ match }) => fitsId(match, model))];
}

/** The one entry that prices a call in a complete context. */
export function matchModel(book: PriceBook, context: ChargeContext): ModelPrice | Unpriced {
  const { model, endpoint } = context;
  const named = entriesOf(book, model);
  if (named.length === 0) return { unpriced: `the book has no model ${JSON.stringify(model)}`, why: 'model' };
  const fitting = named.filter((entry) => holds(entry, context));
  const priority = Math.max(...fitting.map((entry) => entry.priority));
  const [best, second] = fitting.filter((entry) => entry.priority === priority);
  if (best === undefined) {
    return {
      unpriced: `the book has no price of ${JSON.stringify(model)} for this ${endpoint} call`,
      why: 'model',
    };
  }
  if (second === undefined) return best;
  return {
    unpriced: `two entries of the book price ${JSON.stringify(model)} with priority ${priority}`,
    why: 'ambiguous',
  };
}

/** Whether an entry prices calls of an endpoint: those it names, else all of its kind. */
export function pricesEndpoint({ endpoints, kind }: ModelPrice, endpoint: PaidKind): boolean {
  return endpoints === null ? kind === kindOf(endpoint) : endpoints.includes(endpoint);
}

export function kindOf(endpoint: PaidKind): ModelPrice['kind'] {
  return isTokenKind(endpoint) ? 'text' : endpoint === 'video' ? 'video' : 'image';
}

function holds(entry: ModelPrice, { endpoint, at_s, when, group }: ChargeContext): boolean {
  return (
    pricesEndpoint(entry, endpoint) &&
    Object.entries(entry.when).every(
      ([name, value]) => (name === 'group' ? (when[name] ?? group) : when[name]) === value,
    ) &&
    (at_s === null || (isInForce(entry, at_s) && isAtTimeOfDay(entry.time_of_day, at_s)))
  );
}

function fitsId({ kind, text }: ModelMatch, model: string): boolean {
  switch (kind) {
    case 'exact':
      return model === text;
    case 'prefix':
      return model.startsWith(text);
    case 'suffix':
      return model.endsWith(text);
    case 'regex':
      return expression(text).test(model);
  }
}

function expression(text: string): RegExp {
  const known = expressions.get(text);
  if (known !== undefined) return known;
  const made = new RegExp(`^(?:${text})$`, 'u');
  expressions.set(text, made);
  return made;
}

function indexOf(book: PriceBook): BookIndex {
  const known = indexes.get(book);
  if (known !== undefined) return known;
  const isExact = ({ match }: ModelPrice): boolean => match.kind === 'exact';
  const index = {
    exact: Map.groupBy(book.models.filter(isExact), ({ match }) => match.text),
    patterns: book.models.filter((entry) => !isExact(entry)),
  };
  indexes.set(book, index);
  return index;
}
