import { compareDecimal, parseDecimal } from '../../../core/decimal.ts';
import { multiplyRational } from '../../../core/rational.ts';
import { product, ratioOf, whole } from '../price-text.ts';

/** Tokens that prices are for, and why. */
interface TokenUnit {
  /** Null where it is not certain. */
  readonly per: string | null;
  readonly reason: string;
}

/** No model is sold outside these, in USD for 1,000,000 tokens of input or output. */
const LEAST = '0.005';
const MOST = '1500';
const UNITS = ['1', '1000', '1000000'] as const;

/** The one unit under which every price of input and output, in USD, is that of a model. None where two remain. */
export function tokenUnit(prices: readonly string[]): TokenUnit {
  const paid = prices.filter((price) => /[1-9]/.test(price));
  const fitting = UNITS.filter((per) => paid.every((price) => isSold(price, per)));
  const [per] = fitting;
  if (paid.length > 0 && per !== undefined && fitting.length === 1) {
    return {
      per,
      reason: `only for ${tokens(per)} are all prices between ${LEAST} and ${MOST} USD a million tokens`,
    };
  }
  const may = fitting.map(tokens).join(' or ');
  return {
    per: null,
    reason: may === '' ? 'no unit of tokens gives prices that models have' : `may be for ${may}`,
  };
}

function isSold(price: string, per: string): boolean {
  const ratio = ratioOf(price);
  const scaled = ratio === null ? null : multiplyRational(ratio, { num: 1_000_000n, den: BigInt(per) });
  const text = parseDecimal(product(scaled, whole(1)) ?? '');
  const [least, most] = [parseDecimal(LEAST), parseDecimal(MOST)];
  if (text === null || least === null || most === null) return false;
  return compareDecimal(text, least) >= 0 && compareDecimal(text, most) <= 0;
}

export function tokens(per: string): string {
  return per === '1' ? 'one token' : `${per} tokens`;
}
