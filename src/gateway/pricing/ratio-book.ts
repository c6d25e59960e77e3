import { type Decimal, formatDecimal, normalise, parseDecimal } from '../../core/decimal.ts';
import type { Model, ModelTextPrices } from '../models/model.ts';
import { furtherLines } from './further-lines.ts';
import type { PriceVersion } from './price-history.ts';

/** USD per 1,000,000 tokens at a model ratio of 1. */
const BASE = '2';

const LINES = { tiers: 'context_tiers', services: 'service_tiers', tools: 'tool_prices' };

/**
 * The book as ratios. `quota_type` 0: `model_ratio` times the base is the price of input tokens, the other ratios are
 * of that price. 1: `model_price` is USD for the first variant, and `price_ratio` of a variant is of that price.
 * All ratios are exact text, a fraction where a decimal has no end; a free input price has its others as prices.
 */
export function ratioBook({ book, models }: PriceVersion): object {
  const { pricebook_id, pricing_version, currency, effective_at, updated_at } = book;
  return {
    success: true,
    pricebook_id,
    pricing_version,
    currency,
    effective_at,
    updated_at,
    base_usd_per_million_tokens: BASE,
    group_ratio: { default: '1' },
    data: models.map(ratios),
  };
}

function ratios(model: Model): object {
  if (model.kind === 'text') {
    const further = furtherLines(model, LINES, rates);
    return { model_name: model.id, quota_type: 0, ...rates(model), ...further };
  }
  const base = model.tiers.find((tier) => !isFree(tier.price))?.price ?? '1';
  return {
    model_name: model.id,
    quota_type: 1,
    model_price: base,
    per: model.kind === 'image' ? 'image' : 'second',
    variants: model.tiers.map(({ price, ...of }) => ({ ...of, price_ratio: decimalRatio(price, base) })),
  };
}

function rates({ input, output, cache_read, cache_write, reasoning }: ModelTextPrices): object {
  if (isFree(input)) {
    return {
      model_ratio: '0',
      completion_price: output,
      ...(cache_read === null ? {} : { cache_price: cache_read }),
      ...(cache_write === null ? {} : { create_cache_price: cache_write }),
      ...(reasoning === undefined ? {} : { reasoning_price: reasoning }),
    };
  }
  return {
    model_ratio: decimalRatio(input, BASE),
    completion_ratio: decimalRatio(output, input),
    ...(cache_read === null ? {} : { cache_ratio: decimalRatio(cache_read, input) }),
    ...(cache_write === null ? {} : { create_cache_ratio: decimalRatio(cache_write, input) }),
    ...(reasoning === undefined ? {} : { reasoning_ratio: decimalRatio(reasoning, input) }),
  };
}

function isFree(price: string): boolean {
  return parseDecimal(price)?.digits === 0n;
}

/** `price` / `base` as exact text: a decimal where it has an end, else a reduced fraction such as `219/55`. */
function decimalRatio(price: string, base: string): string {
  const left = decimalOf(price);
  const right = decimalOf(base);
  if (right.digits === 0n) throw new RangeError('decimalRatio: the base is 0');
  const scale = Math.max(left.scale, right.scale);
  const numerator = left.digits * 10n ** BigInt(scale - left.scale);
  const denominator = right.digits * 10n ** BigInt(scale - right.scale);
  const common = greatestDivisor(numerator, denominator);
  const top = numerator / common;
  const bottom = denominator / common;
  const digits = decimalsOf(bottom);
  if (digits === null) return `${top}/${bottom}`;
  return formatDecimal(normalise({ digits: (top * 10n ** BigInt(digits)) / bottom, scale: digits }));
}

/** Decimals that a fraction of this reduced denominator needs; null where they never end. */
function decimalsOf(denominator: bigint): number | null {
  let rest = denominator;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : null;
}

function greatestDivisor(left: bigint, right: bigint): bigint {
  return right === 0n ? left : greatestDivisor(right, left % right);
}

function decimalOf(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === null) throw new RangeError(`not a plain decimal: ${text}`);
  return parsed;
}
