import type { ModelTextPrices, TextModel } from '../models/model.ts';

/** How context tiers are meant in every layout: the whole call takes the prices of the tier that its context reaches. */
const TIER_RULE = { basis: 'context_len', mode: 'cliff' } as const;

/** What a layout calls the lines. */
interface LineNames {
  readonly tiers: string;
  readonly services: string;
  readonly tools: string;
}

/** The lines of a model beside its plain prices; `form`: prices as the layout has them. */
export function furtherLines(
  { context_tiers, service_tiers, tools }: TextModel,
  names: LineNames,
  form: (prices: ModelTextPrices) => object,
): object {
  const lines = new Map<string, unknown>();
  if (context_tiers !== undefined) {
    const { inclusive, thresholds } = context_tiers;
    const tiers = thresholds.map((tier) => ({ above: tier.above, ...form(tier) }));
    lines.set(names.tiers, { ...TIER_RULE, inclusive, thresholds: tiers });
  }
  if (service_tiers !== undefined) {
    const served = service_tiers.map((tier) => ({ service_tier: tier.service_tier, ...form(tier) }));
    lines.set(names.services, served);
  }
  if (tools !== undefined) lines.set(names.tools, tools);
  return Object.fromEntries(lines);
}
