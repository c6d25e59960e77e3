import { AMOUNT_SCALE, type PicoUsd } from '../../core/amount.ts';
import { type Decimal, parseDecimal } from '../../core/decimal.ts';
import { divideRounded } from '../../core/rounding.ts';
import type { ImageModel, TextModel, VideoModel } from '../models/model.ts';
import { OWN_ROUNDING, type RoundingRule } from './rounding-rule.ts';
import type { TokenUsage } from './token-usage.ts';

/** A price per 1,000,000 tokens has 6 decimals more per token. */
const MILLION_SCALE = 6;

/** What a text call costs. Cache tokens are inside `input` and are charged at their own price only. */
export function textCharge(model: TextModel, usage: TokenUsage, rule = OWN_ROUNDING): PicoUsd {
  const plainInput = usage.input - usage.cacheRead - usage.cacheWrite;
  if (plainInput < 0) throw new RangeError('textCharge: more cache tokens than input tokens');
  const { input, cacheRead, cacheWrite, output, scale } = tokenPrices(model);
  let sum = BigInt(plainInput) * input + BigInt(usage.output) * output;
  if (usage.cacheRead > 0) sum += BigInt(usage.cacheRead) * cacheRead;
  if (usage.cacheWrite > 0) sum += BigInt(usage.cacheWrite) * cacheWrite;
  return rounded(sum, scale, rule);
}

/** What is held before a text call: the prompt at its dearest price and all the output that may come. */
export function textReserve(
  model: TextModel,
  inputTokens: number,
  maxOutputTokens: number,
  rule = OWN_ROUNDING,
): PicoUsd {
  const { dearestInput, output, scale } = tokenPrices(model);
  return rounded(BigInt(inputTokens) * dearestInput + BigInt(maxOutputTokens) * output, scale, rule);
}

/** The price of one image, or null where the model has no such size and quality. */
export function imageCharge(
  model: ImageModel,
  size: string,
  quality: string,
  rule = OWN_ROUNDING,
): PicoUsd | null {
  const tier = model.tiers.find((candidate) => candidate.size === size && candidate.quality === quality);
  return tier === undefined ? null : roundedPrice(price(tier.price), 1n, rule);
}

/** The price of a whole video, or null where the model has no such resolution. */
export function videoCharge(
  model: VideoModel,
  resolution: string,
  seconds: number,
  rule = OWN_ROUNDING,
): PicoUsd | null {
  const tier = model.tiers.find((candidate) => candidate.resolution === resolution);
  if (tier === undefined) return null;
  return roundedPrice(price(tier.price), BigInt(seconds), rule);
}

/** Prices of one token in units of 10⁻ˢᶜᵃˡᵉ USD, exact: one scale for all prices of a model. */
interface TokenPrices {
  readonly input: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
  readonly output: bigint;
  readonly dearestInput: bigint;
  readonly scale: number;
}

/** Prices are read once: each call asks for them twice. */
const PRICES = new WeakMap<TextModel, TokenPrices>();

function tokenPrices(model: TextModel): TokenPrices {
  const held = PRICES.get(model);
  if (held !== undefined) return held;
  const texts = [
    model.input,
    model.cache_read ?? model.input,
    model.cache_write ?? model.input,
    model.output,
  ];
  const prices = texts.map(price);
  const decimals = Math.max(...prices.map(({ scale }) => scale));
  const [input = 0n, cacheRead = 0n, cacheWrite = 0n, output = 0n] = prices.map(
    ({ digits, scale }) => digits * 10n ** BigInt(decimals - scale),
  );
  const dearestInput = [cacheRead, cacheWrite].reduce((most, next) => (next > most ? next : most), input);
  const made = { input, cacheRead, cacheWrite, output, dearestInput, scale: decimals + MILLION_SCALE };
  PRICES.set(model, made);
  return made;
}

function roundedPrice({ digits, scale }: Decimal, count: bigint, rule: RoundingRule): PicoUsd {
  return rounded(digits * count, scale, rule);
}

/** An amount in units of 10⁻ˢᶜᵃˡᵉ USD at the decimals of a record. */
function rounded(amount: bigint, scale: number, { decimals, mode }: RoundingRule): PicoUsd {
  if (scale <= decimals) return amount * powerOfTen(AMOUNT_SCALE - scale);
  return divideRounded(amount, powerOfTen(scale - decimals), mode) * powerOfTen(AMOUNT_SCALE - decimals);
}

const POWERS: readonly bigint[] = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

function price(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === null) throw new RangeError(`price is not a plain decimal: ${text}`);
  return parsed;
}
