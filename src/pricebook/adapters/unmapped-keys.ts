import { type Decimal, parseNumberText } from '../../core/decimal.ts';
import type { BookText } from './book-text.ts';

/** A key that no rule of the adapter reads, over all models that have it. */
export interface UnmappedKey {
  /** Such as `models[].x_extension`. */
  readonly path: string;
  /** True when its value holds a figure somewhere, so that it may change a price. */
  readonly may_price: boolean;
  /** How many models have it; 0 where it stands beside the models. */
  readonly models: number;
}

/** Collects what an adapter leaves unread, in order of appearance. Nothing that it is not told of is ever dropped. */
export class UnmappedKeys {
  readonly #found = new Map<string, { may_price: boolean; models: Set<string> }>();

  /** Notes every key of `value` that is not `known`. `at` is the path of the value, empty for the book itself. */
  check(at: string, value: unknown, known: readonly string[], model: string | null = null): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, held] of Object.entries(value)) {
      if (!known.includes(key)) this.note(at === '' ? key : `${at}.${key}`, held, model);
    }
  }

  note(path: string, held: unknown, model: string | null = null): void {
    const entry = this.#found.get(path) ?? { may_price: false, models: new Set() };
    entry.may_price ||= mayPrice(path.split('.').at(-1) ?? path, held);
    if (model !== null) entry.models.add(model);
    this.#found.set(path, entry);
  }

  /** The models whose prices an unread figure may change; null where one stands beside the models. */
  doubted(): ReadonlySet<string> | null {
    const pricing = [...this.#found.values()].filter(({ may_price }) => may_price);
    if (pricing.some(({ models }) => models.size === 0)) return null;
    return new Set(pricing.flatMap(({ models }) => [...models]));
  }

  list(): readonly UnmappedKey[] {
    return [...this.#found].map(([path, { may_price, models }]) => ({
      path,
      may_price,
      models: models.size,
    }));
  }
}

/** Names of figures that count, order or date something: none of them is ever a price, nor the edge of one. */
const COUNTS =
  /^(?:revision|(?:\w+_)?version|rank|sort(?:_order)?|[rt]p[ms]|timeout(?:_m?s)?|(?:created|updated|released|deprecated)(?:_at)?|context_(?:window|length)|max_(?:\w+_)?tokens|knowledge_cutoff)$/i;

/** A factor of 1 and any other figure of 0 change no price. */
const FACTORS = /factor|ratio|multiplier/i;

function mayPrice(key: string, value: unknown): boolean {
  if (COUNTS.test(key)) return false;
  if (typeof value === 'string') {
    const figure = parseNumberText(value);
    return figure !== null && !isIdle(figure, FACTORS.test(key));
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, held]) => mayPrice(Array.isArray(value) ? key : name, held));
}

function isIdle({ digits, scale }: Decimal, isFactor: boolean): boolean {
  return isFactor ? digits === 10n ** BigInt(scale) : digits === 0n;
}

/** True for a mapping, not for a list. */
export function isMapping(value: BookText | undefined): value is { readonly [key: string]: BookText } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
