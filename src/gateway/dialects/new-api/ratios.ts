import { type Decimal, formatTrimmed, multiplyDecimal, parseDecimal } from '../../../core/decimal.ts';
import { rational } from '../../../core/rational.ts';
import { roundToQuantum } from '../../../core/rounding.ts';
import type { ImageModel, Model, TextModel, VideoModel } from '../../models/model.ts';

/** Whole units of one USD, as `quota_per_unit` tells them. */
export const UNITS_PER_USD = 500_000;
/** One unit in 10⁻¹² USD. */
export const PICO_PER_UNIT = 2_000_000n;

/** What a charge is multiplied by for the group of its key. */
export const GROUP_RATIOS: Readonly<Record<string, string>> = { default: '1', plus: '0.8', bulk: '0.5' };

/** 1 unit a token is 2 USD a million. */
const USD_PER_RATIO = '2';
const SIX_PLACES: Decimal = { digits: 1n, scale: 6 };
const TWELVE_PLACES: Decimal = { digits: 1n, scale: 12 };

/** The sizes that a video has beside those of its list, at the ratio that the price list of such gateways knows for them. */
const LARGE = ['1792x1024', '1024x1792'];
const LARGE_RATIO = '1.666667';

/** The models whose images have prices by size and quality, told as a grid; all others have one price. */
const GRID_MODELS: readonly string[] = ['lumen-image', 'lumen-image-1.5'];

export function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === null) throw new RangeError(`no plain decimal: ${text}`);
  return parsed;
}

/** One price as a multiple of another. */
function ratio(part: string, whole: string, quantum: Decimal): Decimal {
  const [above, below] = [decimal(part), decimal(whole)];
  const num = above.digits * 10n ** BigInt(below.scale);
  const den = below.digits * 10n ** BigInt(above.scale);
  return roundToQuantum(rational(num, den), quantum, 'half_up');
}

/** The ratio of two prices as the price list tells it. */
export function toldRatio(part: string, whole: string): number {
  return Number(formatTrimmed(ratio(part, whole, TWELVE_PLACES)));
}

export function modelRatio({ input }: Pick<TextModel, 'input'>): number {
  return toldRatio(input, USD_PER_RATIO);
}

/** Models at prices that ratios of six places tell exactly, without the lines that ratios have no room for. */
export function ratioCatalogue(models: readonly Model[]): readonly Model[] {
  return models.map(ratioModel);
}

function ratioModel(model: Model): Model {
  switch (model.kind) {
    case 'text':
      return byRatios(model);
    case 'image':
      return isGrid(model) ? model : atOnePrice(model);
    case 'video':
      return model.id === 'orbit-2' ? withLarge(model) : model;
  }
}

function byRatios(model: TextModel): TextModel {
  const { kind, id, tokenizer, input, context_window, max_output_tokens, reasons } = model;
  const at = (price: string): string =>
    formatTrimmed(multiplyDecimal(decimal(input), ratio(price, input, SIX_PLACES)));
  return {
    ...{ kind, id, tokenizer, input, context_window, max_output_tokens },
    ...(reasons === undefined ? {} : { reasons }),
    output: at(model.output),
    cache_read: model.cache_read === null ? null : at(model.cache_read),
    cache_write: model.cache_write === null ? null : at(model.cache_write),
  };
}

function atOnePrice(model: ImageModel): ImageModel {
  const [first] = model.tiers;
  return { ...model, tiers: model.tiers.map((tier) => ({ ...tier, price: first?.price ?? tier.price })) };
}

function withLarge(model: VideoModel): VideoModel {
  const price = formatTrimmed(multiplyDecimal(decimal(basePrice(model)), decimal(LARGE_RATIO)));
  return { ...model, tiers: [...model.tiers, ...LARGE.map((resolution) => ({ resolution, price }))] };
}

/** The price of a model before any factor of its size. */
export function basePrice({ tiers }: ImageModel | VideoModel): string {
  const [first] = tiers;
  if (first === undefined) throw new RangeError('a model has a price');
  return first.price;
}

/** What the price of a second is multiplied by for a size; null: the model has no such size. */
export function sizeRatio(model: VideoModel, size: string): Decimal | null {
  const tier = model.tiers.find(({ resolution }) => resolution === size);
  return tier === undefined ? null : ratio(tier.price, basePrice(model), SIX_PLACES);
}

/** Whether its provider speaks the messages format: it alone writes to a cache, and counts cached tokens apart. */
export function isClaude(model: Model): boolean {
  return model.kind === 'text' && model.cache_write !== null;
}

export function isGrid({ id }: Pick<Model, 'id'>): boolean {
  return GRID_MODELS.includes(id);
}
