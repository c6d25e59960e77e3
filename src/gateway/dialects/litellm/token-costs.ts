import { AMOUNT_SCALE, formatAmount, type PicoUsd } from '../../../core/amount.ts';
import type { TokenUsage } from '../../events/charge-record.ts';
import type { ImageModel, Model, TextModel, VideoModel } from '../../models/model.ts';

const LONG_WRITE = 1.6;

/** The models without what a model map of prices by token cannot tell; images at one price each. */
export function mappedCatalogue(models: readonly Model[]): readonly Model[] {
  return models.map((model) => {
    if (model.kind === 'image') return atOnePrice(model);
    if (model.kind === 'video') return model;
    const { kind, id, tokenizer, input, output, cache_read, cache_write } = model;
    const { context_window, max_output_tokens, reasons } = model;
    const limits = { context_window, max_output_tokens, ...(reasons === undefined ? {} : { reasons }) };
    return { kind, id, tokenizer, input, output, cache_read, cache_write, ...limits };
  });
}

function atOnePrice(model: ImageModel): ImageModel {
  const [first] = model.tiers;
  return { ...model, tiers: model.tiers.map((tier) => ({ ...tier, price: first?.price ?? tier.price })) };
}

/** Prices of one token as doubles, which is how the model map has them. */
export function tokenCosts({ input, output, cache_read, cache_write }: TextModel) {
  const each = (perMillion: string | null): number | null =>
    perMillion === null ? null : Number(`${perMillion}e-6`);
  const [plain, written] = [Number(`${input}e-6`), Number(`${output}e-6`)];
  const write = each(cache_write);
  return {
    input_cost_per_token: plain,
    output_cost_per_token: written,
    cache_read_input_token_cost: each(cache_read),
    cache_creation_input_token_cost: write,
    cache_creation_input_token_cost_above_1hr: write === null ? null : write * LONG_WRITE,
  };
}

/** What a text call costs by these doubles, one added to the other, with all the digits that come of it. */
export function doubleCost(model: TextModel, usage: TokenUsage, longWrites: boolean): number {
  const costs = tokenCosts(model);
  const { input, output, cacheRead, cacheWrite } = usage;
  const write = longWrites
    ? costs.cache_creation_input_token_cost_above_1hr
    : costs.cache_creation_input_token_cost;
  const prompt =
    (input - cacheRead - cacheWrite) * costs.input_cost_per_token +
    cacheRead * (costs.cache_read_input_token_cost ?? costs.input_cost_per_token) +
    cacheWrite * (write ?? costs.input_cost_per_token);
  return prompt + output * costs.output_cost_per_token;
}

/** The amount of a record as a double: that of the sum where it is this amount, else the nearest one. */
export function spendOf(amount: PicoUsd, computed: number | null): number {
  const nearest = Number(formatAmount(amount));
  if (computed === null) return nearest;
  return Math.abs(computed - nearest) < 10 ** -AMOUNT_SCALE ? computed : nearest;
}

/** Prices of a video by the second, by the lines of its size where they differ. */
export function secondCosts({ tiers }: VideoModel): Readonly<Record<string, number>> {
  const [first] = tiers;
  const costs: Record<string, number> = { output_cost_per_second: Number(first?.price ?? 0) };
  for (const { resolution, price } of tiers) {
    if (price !== first?.price) costs[`output_cost_per_second_${linesOf(resolution)}`] = Number(price);
  }
  return costs;
}

function linesOf(resolution: string): string {
  return `${Math.min(...resolution.split('x').map(Number))}p`;
}

/** A float as Python writes it: with an exponent of two digits below 0.0001, and never without a point. */
export function floatText(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-4) {
    const [digits = '', exponent = ''] = value.toExponential().split('e-');
    return `${digits}e-${exponent.padStart(2, '0')}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
