import type { PriceComponent, Tiers } from '../../contracts/price-book.ts';
import { perMillion, perUnit } from './components.ts';
import { priceText } from './price-text.ts';

/** A `billing_expr` in the normal form; null for one that the subset below does not hold. */
export interface ExpressionPrices {
  readonly components: readonly PriceComponent[];
  readonly tiers: Tiers | null;
}

type Variable = 'p' | 'c' | 'cr' | 'cc' | 'cc1h' | 'fixed';
/** USD for a million tokens by variable; `fixed` for a request. */
type Leaf = ReadonlyMap<Variable, string>;

interface Piece {
  /** Length from which it holds; null for the first. */
  readonly above: string | null;
  readonly inclusive: Tiers['inclusive'] | null;
  readonly leaf: Leaf;
}

const TOKEN =
  /\s*(?:(v1:)|("(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(<=|>=|[<>?:+*(),]))/y;

/**
 * Reads `len <= 200000 ? tier("a", p * 3 + c * 15) : tier("b", fixed(0.1))`: a chain of conditions on `len` over sums
 * of `p`, `c`, `cr`, `cc`, `cc1h` times a price, or `fixed`. Anything else, request rules after `|||` above all, is null.
 */
export function billingExpression(text: string): ExpressionPrices | null {
  const tokens = tokensOf(text);
  if (tokens === null) return null;
  const reader = new Reader(tokens);
  reader.take('v1:');
  const pieces = reader.pieces();
  if (pieces === null || !reader.ended) return null;
  return pricesOf(pieces);
}

function tokensOf(text: string): readonly string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const whole = text.trimEnd();
  while (TOKEN.lastIndex < whole.length) {
    const match = TOKEN.exec(whole);
    if (match === null) return null;
    tokens.push(match[0].trim());
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get ended(): boolean {
    return this.#at === this.#tokens.length;
  }

  take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? '';
  }

  /** The pieces of a chain by rising length; null where it is no such chain. */
  pieces(): readonly Piece[] | null {
    if (!this.take('len')) {
      const leaf = this.#leaf();
      return leaf === null ? null : [{ above: null, inclusive: null, leaf }];
    }
    const sign = this.#next();
    const length = this.#next();
    if (!['<=', '<', '>', '>='].includes(sign) || !/^\d+$/.test(length) || !this.take('?')) return null;
    const then = this.pieces();
    if (then === null || !this.take(':')) return null;
    const otherwise = this.pieces();
    if (otherwise === null) return null;
    const short = sign.startsWith('<');
    // `len <= n` and `len > n` leave n itself below, the other two put it above.
    return joined(short ? then : otherwise, short ? otherwise : then, {
      above: length,
      inclusive: sign === '<=' || sign === '>' ? 'gt' : 'ge',
    });
  }

  #leaf(): Leaf | null {
    if (!this.take('tier') || !this.take('(')) return null;
    if (!this.#next().startsWith('"') || !this.take(',')) return null;
    const leaf = this.take('fixed') ? this.#fixed() : this.#sum();
    return leaf !== null && this.take(')') ? leaf : null;
  }

  #fixed(): Leaf | null {
    if (!this.take('(')) return null;
    const price = priceText(this.#next());
    return price !== null && this.take(')') ? new Map([['fixed', price]]) : null;
  }

  #sum(): Leaf | null {
    const leaf = new Map<Variable, string>();
    do {
      const left = this.#next();
      if (!this.take('*')) return null;
      const right = this.#next();
      const [name, factor] = /^\d/.test(left) ? [right, left] : [left, right];
      const price = /^\d/.test(factor) ? priceText(factor) : null;
      const variable = VARIABLES.find((each) => each === name);
      if (variable === undefined || price === null || leaf.has(variable)) return null;
      leaf.set(variable, price);
    } while (this.take('+'));
    return leaf;
  }
}

const VARIABLES: readonly Variable[] = ['p', 'c', 'cr', 'cc', 'cc1h'];

/** A chain has conditions on one side only: those of the short side would have to lie below its own length. */
function joined(
  below: readonly Piece[],
  above: readonly Piece[],
  at: { readonly above: string; readonly inclusive: Tiers['inclusive'] },
): readonly Piece[] | null {
  const [first, ...rest] = above;
  const lengths = [...below, { ...at }, ...rest].flatMap((piece) =>
    piece.above === null ? [] : [piece.above],
  );
  const rising = lengths.every(
    (length, index) => index === 0 || BigInt(length) > BigInt(lengths[index - 1] ?? 0),
  );
  if (first === undefined || !rising) return null;
  return [...below, { ...first, ...at }, ...rest];
}

function pricesOf(pieces: readonly Piece[]): ExpressionPrices | null {
  const [base, ...rest] = pieces;
  if (base === undefined) return null;
  const used = new Set(pieces.flatMap(({ leaf }) => [...leaf.keys()]));
  const inclusive = rest[0]?.inclusive ?? 'gt';
  if (rest.some((piece) => piece.inclusive !== inclusive)) return null;
  return {
    components: componentsOf(base.leaf, used),
    tiers:
      rest.length === 0
        ? null
        : {
            basis: 'context_len',
            mode: 'cliff',
            inclusive,
            thresholds: rest.map(({ above, leaf }) => ({
              above: above ?? '0',
              components: componentsOf(leaf, used),
            })),
          },
  };
}

/** A piece names all its prices: tokens without a variable of their own are `p`, and what it does not name is free. */
function componentsOf(leaf: Leaf, used: ReadonlySet<Variable>): readonly PriceComponent[] {
  const input = leaf.get('p') ?? '0';
  const cached = (variable: Variable): string | null =>
    used.has(variable) ? (leaf.get(variable) ?? input) : null;
  return [
    ...perMillion('input_token', input),
    ...perMillion('output_token', leaf.get('c') ?? '0'),
    ...perMillion('cache_read_token', cached('cr')),
    ...perMillion('cache_write_token', cached('cc'), used.has('cc1h') ? { ttl: '5m' } : {}),
    ...perMillion('cache_write_token', cached('cc1h'), { ttl: '1h' }),
    ...perUnit('request', used.has('fixed') ? (leaf.get('fixed') ?? '0') : null),
  ];
}
