import { AMOUNT_SCALE, type PicoUsd } from '../../core/amount.ts';
import { compareDecimal, type Decimal, parseDecimal } from '../../core/decimal.ts';
import {
  addRational,
  multiplyRational,
  RATIONAL_ZERO,
  type Rational,
  rational,
  rationalOf,
} from '../../core/rational.ts';
import { roundToQuantum } from '../../core/rounding.ts';
import type { ImageModel, TextModel, VideoModel } from '../models/model.ts';
import type { TokenUsage } from './token-usage.ts';

/** Records carry 8 decimals at most, rounded half up once per record. */
const QUANTUM: Decimal = { digits: 1n, scale: 8 };
const MILLION = 1_000_000n;

/** What a text call costs. Cache tokens are inside `input` and are charged at their own price only. */
export function textCharge(model: TextModel, usage: TokenUsage): PicoUsd {
  const plainInput = usage.input - usage.cacheRead - usage.cacheWrite;
  if (plainInput < 0) throw new RangeError('textCharge: more cache tokens than input tokens');
  return roundedSum([
    tokens(plainInput, model.input),
    tokens(usage.cacheRead, model.cache_read ?? model.input),
    tokens(usage.cacheWrite, model.cache_write ?? model.input),
    tokens(usage.output, model.output),
  ]);
}

/** What is held before a text call: the prompt at its dearest price and all the output that may come. */
export function textReserve(model: TextModel, inputTokens: number, maxOutputTokens: number): PicoUsd {
  const prices = [model.input, model.cache_read ?? model.input, model.cache_write ?? model.input];
  const dearest = prices.reduce((left, right) =>
    compareDecimal(price(right), price(left)) > 0 ? right : left,
  );
  return roundedSum([tokens(inputTokens, dearest), tokens(maxOutputTokens, model.output)]);
}

/** The price of one image, or null where the model has no such size and quality. */
export function imageCharge(model: ImageModel, size: string, quality: string): PicoUsd | null {
  const tier = model.tiers.find((candidate) => candidate.size === size && candidate.quality === quality);
  return tier === undefined ? null : roundedSum([rationalOf(price(tier.price))]);
}

/** The price of a whole video, or null where the model has no such resolution. */
export function videoCharge(model: VideoModel, resolution: string, seconds: number): PicoUsd | null {
  const tier = model.tiers.find((candidate) => candidate.resolution === resolution);
  if (tier === undefined) return null;
  return roundedSum([multiplyRational(rationalOf(price(tier.price)), rational(BigInt(seconds), 1n))]);
}

function tokens(count: number, perMillion: string): Rational {
  return multiplyRational(rationalOf(price(perMillion)), rational(BigInt(count), MILLION));
}

function roundedSum(parts: readonly Rational[]): PicoUsd {
  const sum = parts.reduce(addRational, RATIONAL_ZERO);
  const { digits, scale } = roundToQuantum(sum, QUANTUM, 'half_up');
  return digits * 10n ** BigInt(AMOUNT_SCALE - scale);
}

function price(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === null) throw new RangeError(`price is not a plain decimal: ${text}`);
  return parsed;
}
