import { type Decimal, formatDecimal, normalise, parseDecimal } from '../../core/decimal.ts';
import type { Model, ModelTextPrices } from '../models/model.ts';
import { toldFactor, unfactoredRule } from '../readings/charge-rule.ts';
import type { Readings } from '../readings/readings.ts';
import { furtherLines } from './further-lines.ts';
import { editFee } from './price-book.ts';
import type { PriceVersion } from './price-history.ts';

/** One version of the book in the layout of the readings, with or without the rules by which it is charged. */
export function servedBook(version: PriceVersion, readings: Readings): object {
  const ids = version.models.map(({ id }) => id);
  const rules = { ...(readings.book_declares ? declared(readings) : {}), ...toldFactor(readings, ids) };
  switch (readings.book_layout) {
    case 'plain': {
      const { rounding: _, usage_semantics: __, ...book } = version.book;
      return { ...book, ...rules };
    }
    case 'ratio':
      return { ...ratioBook(version), ...rules };
    case 'per_token':
      return { ...perTokenBook(version), ...rules };
  }
}

function declared(readings: Readings): object {
  const { decimals, mode, steps = 1n, eachLine = false, least = false } = unfactoredRule(readings);
  const quantum = `0.${String(steps).padStart(decimals, '0')}`;
  return {
    rounding: { scope: eachLine ? 'component' : 'record', quantum, mode },
    ...(least ? { minimum_charge: quantum } : {}),
    usage_semantics: {
      // With reads inside and writes beside neither is true.
      ...(readings.input_tokens === 'without_writes'
        ? {}
        : { input_includes_cache: readings.input_tokens === 'with_cache' }),
      output_includes_reasoning: readings.output_tokens === 'with_reasoning',
    },
  };
}

const MILLION_SCALE = 6;
const LINES = { tiers: 'context_pricing', services: 'service_pricing', tools: 'tool_pricing' };

/** The book as prices of one token, one image or one second, nested by model id. */
function perTokenBook({ book, models }: PriceVersion): object {
  return {
    version: {
      pricebook_id: book.pricebook_id,
      pricing_version: book.pricing_version,
      effective_at: book.effective_at,
      updated_at: book.updated_at,
    },
    unit: { currency: book.currency, tokens: 1 },
    models: Object.fromEntries(models.map((model) => [model.id, entry(model)])),
  };
}

function entry(model: Model): object {
  switch (model.kind) {
    case 'text':
      return {
        type: 'text',
        pricing: pricing(model),
        ...furtherLines(model, LINES, (prices) => ({ pricing: pricing(prices) })),
        context_length: model.context_window,
      };
    case 'image':
      return {
        type: 'image',
        variants: model.tiers.map(({ price, ...of }) => ({ ...of, pricing: { image: price } })),
        ...editFee(model),
      };
    case 'video':
      return {
        type: 'video',
        variants: model.tiers.map(({ price, ...of }) => ({
          ...of,
          pricing: { [model.per_video === true ? 'video' : 'second']: price },
        })),
      };
  }
}

function pricing({ input, output, cache_read, cache_write, reasoning }: ModelTextPrices): object {
  return {
    prompt: perToken(input),
    completion: perToken(output),
    ...(cache_read === null ? {} : { input_cache_read: perToken(cache_read) }),
    ...(cache_write === null ? {} : { input_cache_write: perToken(cache_write) }),
    ...(reasoning === undefined ? {} : { internal_reasoning: perToken(reasoning) }),
  };
}

function perToken(perMillion: string): string {
  const parsed = parseDecimal(perMillion);
  if (parsed === null) throw new RangeError(`price is not a plain decimal: ${perMillion}`);
  return formatDecimal(normalise({ ...parsed, scale: parsed.scale + MILLION_SCALE }));
}

/** USD per 1,000,000 tokens at a model ratio of 1. */
const BASE = '2';

const RATIO_LINES = { tiers: 'context_tiers', services: 'service_tiers', tools: 'tool_prices' };

/**
 * The book as ratios. `quota_type` 0: `model_ratio` times the base is the price of input tokens, the other ratios are
 * of that price. 1: `model_price` is USD for the first variant, and `price_ratio` of a variant is of that price.
 * All ratios are exact text, a fraction where a decimal has no end; a free input price has its others as prices.
 */
function ratioBook({ book, models }: PriceVersion): object {
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
    const further = furtherLines(model, RATIO_LINES, rates);
    return { model_name: model.id, quota_type: 0, ...rates(model), ...further };
  }
  const base = model.tiers.find((tier) => !isFree(tier.price))?.price ?? '1';
  return {
    model_name: model.id,
    quota_type: 1,
    model_price: base,
    ...(model.kind === 'image'
      ? { per: 'image', ...editFee(model) }
      : { per: model.per_video === true ? 'video' : 'second' }),
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
