import { AMOUNT_SCALE, type PicoUsd } from '../../core/amount.ts';
import { addDecimal, type Decimal, parseDecimal } from '../../core/decimal.ts';
import { divideRounded } from '../../core/rounding.ts';
import type { TokenUsage } from '../events/charge-record.ts';
import type { ImageModel, ModelTextPrices, TextModel, VideoModel } from '../models/model.ts';
import { OWN_ROUNDING, type RoundingRule } from '../prices/rounding-rule.ts';
import { effectivePrices, NO_EXTRAS, type TextExtras } from './text-extras.ts';

/** A price per 1,000,000 tokens has 6 decimals more per token. */
const MILLION_SCALE = 6;

/** By how many tenths of its price a cache write of an hour is dearer. */
const LONG_WRITE_TENTHS = 6n;

/** What a text call costs. Cache tokens are inside `input` and are charged at their own price only. */
export function textCharge(
  model: TextModel,
  usage: TokenUsage,
  rule = OWN_ROUNDING,
  extras: TextExtras = NO_EXTRAS,
): PicoUsd {
  const plainInput = usage.input - usage.cacheRead - usage.cacheWrite;
  if (plainInput < 0) throw new RangeError('textCharge: more cache tokens than input tokens');
  const prices = tokenPrices(effectivePrices(model, usage.input, extras));
  const { input, cacheRead, cacheWrite, output, reasoning, scale } = prices;
  const thought = Math.min(extras.reasoning, usage.output);
  if (rule.eachLine === true) {
    const lines = [
      BigInt(plainInput) * input,
      BigInt(usage.cacheRead) * cacheRead,
      BigInt(usage.cacheWrite) * cacheWrite,
      BigInt(usage.output - thought) * output,
      BigInt(thought) * reasoning,
    ];
    const tools = withTools({ digits: 0n, scale }, model, extras.toolCalls, rule);
    return lines.reduce((sum, line) => sum + rounded(line, scale, rule), tools);
  }
  let sum = BigInt(plainInput) * input + BigInt(usage.output - thought) * output;
  if (thought > 0) sum += BigInt(thought) * reasoning;
  if (usage.cacheRead > 0) sum += BigInt(usage.cacheRead) * cacheRead;
  if (usage.cacheWrite > 0) sum += BigInt(usage.cacheWrite) * cacheWrite;
  if (extras.longWrites === true) {
    const more = BigInt(usage.cacheWrite) * cacheWrite * LONG_WRITE_TENTHS;
    return withTools({ digits: sum * 10n + more, scale: scale + 1 }, model, extras.toolCalls, rule);
  }
  return withTools({ digits: sum, scale }, model, extras.toolCalls, rule);
}

/** What is held before a text call: the prompt at its dearest price, all the output and tool calls that may come. */
export function textReserve(
  model: TextModel,
  inputTokens: number,
  maxOutputTokens: number,
  rule = OWN_ROUNDING,
  { serviceTier, toolCalls }: Pick<TextExtras, 'serviceTier' | 'toolCalls'> = NO_EXTRAS,
): PicoUsd {
  const prices = tokenPrices(effectivePrices(model, inputTokens, { serviceTier }));
  const { dearestInput, dearestOutput, scale } = prices;
  const digits = BigInt(inputTokens) * dearestInput + BigInt(maxOutputTokens) * dearestOutput;
  return withTools({ digits, scale }, model, toolCalls, rule);
}

/** Adds the tool calls, exactly, before the one rounding. */
function withTools(tokens: Decimal, model: TextModel, toolCalls: number, rule: RoundingRule): PicoUsd {
  const [tool] = model.tools ?? [];
  if (tool === undefined || toolCalls === 0) return rounded(tokens.digits, tokens.scale, rule);
  const { digits, scale } = price(tool.price);
  const both = Math.max(scale, tokens.scale);
  const sum =
    tokens.digits * powerOfTen(both - tokens.scale) + BigInt(toolCalls) * digits * powerOfTen(both - scale);
  return rounded(sum, both, rule);
}

/** The price of an image, or of several, or null where the model has no such size and quality. */
export function imageCharge(
  model: ImageModel,
  size: string,
  quality: string,
  rule = OWN_ROUNDING,
  isEdit = false,
  count = 1,
): PicoUsd | null {
  const tier = model.tiers.find((candidate) => candidate.size === size && candidate.quality === quality);
  if (tier === undefined) return null;
  const fee = price((isEdit ? model.edit_fee : undefined) ?? '0');
  return roundedPrice(addDecimal(price(tier.price), fee), BigInt(count), rule);
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
  return roundedPrice(price(tier.price), model.per_video === true ? 1n : BigInt(seconds), rule);
}

/** Prices are read once: each call asks for them twice. */
const PRICES = new WeakMap<ModelTextPrices, ReturnType<typeof readPrices>>();

function tokenPrices(of: ModelTextPrices): ReturnType<typeof readPrices> {
  const held = PRICES.get(of) ?? readPrices(of);
  PRICES.set(of, held);
  return held;
}

/** Prices of one token in units of 10⁻ˢᶜᵃˡᵉ USD, exact: one scale for all prices of a model. */
function readPrices(of: ModelTextPrices) {
  const texts = [
    of.input,
    of.cache_read ?? of.input,
    of.cache_write ?? of.input,
    of.output,
    of.reasoning ?? of.output,
  ];
  const prices = texts.map(price);
  const decimals = Math.max(...prices.map(({ scale }) => scale));
  const [input = 0n, cacheRead = 0n, cacheWrite = 0n, output = 0n, reasoning = 0n] = prices.map(
    ({ digits, scale }) => digits * 10n ** BigInt(decimals - scale),
  );
  const dearestInput = most([input, cacheRead, cacheWrite]);
  const dearestOutput = most([output, reasoning]);
  const scale = decimals + MILLION_SCALE;
  return { input, cacheRead, cacheWrite, output, reasoning, dearestInput, dearestOutput, scale };
}

function most(prices: readonly bigint[]): bigint {
  return prices.reduce((held, next) => (next > held ? next : held), 0n);
}

function roundedPrice({ digits, scale }: Decimal, count: bigint, rule: RoundingRule): PicoUsd {
  return rounded(digits * count, scale, rule);
}

/** An amount in units of 10⁻ˢᶜᵃˡᵉ USD, as the rule makes it that of a record. */
function rounded(amount: bigint, scale: number, rule: RoundingRule): PicoUsd {
  const { decimals, mode, steps = 1n, least = false, factor } = rule;
  const exact = factor === undefined ? amount : amount * factor.digits;
  const finest = Math.max(decimals, factor === undefined ? scale : scale + factor.scale);
  const digits = finest === decimals ? exact * powerOfTen(decimals - scale - (factor?.scale ?? 0)) : exact;
  const quanta = divideRounded(digits, powerOfTen(finest - decimals) * steps, mode);
  const charged = least && quanta === 0n && amount > 0n ? 1n : quanta;
  return charged * steps * powerOfTen(AMOUNT_SCALE - decimals);
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
