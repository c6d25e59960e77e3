import type { ContextTiers, ModelTextPrices, TextModel } from '../models/model.ts';

/** What a text call is charged by beside its tokens. Its record tells none of it. */
export interface TextExtras {
  /** The tier of service at which it was served; null: the default one. */
  readonly serviceTier: string | null;
  /** Output tokens that are reasoning. */
  readonly reasoning: number;
  /** Calls of the model's tool on the side of the server. */
  readonly toolCalls: number;
  /** Whether its cache writes live an hour, at 1.6 times their price; only a dialect has such. */
  readonly longWrites?: true;
}

/** A call without any of it. */
export const NO_EXTRAS: TextExtras = { serviceTier: null, reasoning: 0, toolCalls: 0 };

/** The prices at which all tokens of a call are charged whose context, cache tokens included, has so many tokens. */
export function effectivePrices(
  model: TextModel,
  contextLength: number,
  { serviceTier }: Pick<TextExtras, 'serviceTier'>,
): ModelTextPrices {
  const { context_tiers, service_tiers } = model;
  if (service_tiers !== undefined && serviceTier !== null) {
    return service_tiers.find(({ service_tier }) => service_tier === serviceTier) ?? model;
  }
  if (context_tiers === undefined) return model;
  const beyond = isBeyond(context_tiers);
  return context_tiers.thresholds.findLast(({ above }) => beyond(contextLength, above)) ?? model;
}

/** The model where all calls have these prices, whatever their context and tier of service. */
export function atPrices(model: TextModel, prices: ModelTextPrices): TextModel {
  const { context_tiers: _, service_tiers: __, reasoning: ___, ...rest } = model;
  const { input, output, cache_read, cache_write, reasoning } = prices;
  const own = reasoning === undefined ? {} : { reasoning };
  return { ...rest, input, output, cache_read, cache_write, ...own };
}

function isBeyond({ inclusive }: ContextTiers): (length: number, above: number) => boolean {
  return inclusive === 'ge' ? (length, above) => length >= above : (length, above) => length > above;
}
