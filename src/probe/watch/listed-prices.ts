import type { TOKEN_TYPES } from '../../contracts/metrics/label-values.ts';
import type { Meter, ModelPrice, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import type { Probe, ProbeTarget } from '../../contracts/probe-plan.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { compareRational, multiplyRational, type Rational } from '../../core/rational.ts';
import { adjustedBy, adjustmentsFor, isApplied, UNADJUSTED } from '../../pricebook/charge/adjust-sum.ts';
import { type ChargeContext, contextOf } from '../../pricebook/charge/charge-context.ts';
import { unitPrice } from '../../pricebook/charge/charge-term.ts';
import { matchModel } from '../../pricebook/charge/match-model.ts';
import { matchingComponents } from '../../pricebook/charge/option-components.ts';

type TokenType = (typeof TOKEN_TYPES)[number];

/** A price of a watched model, USD for one unit. */
export type ListedPrice = { readonly model: string; readonly usd: Rational } & (
  | { readonly unit: 'token'; readonly kind: TokenType }
  | { readonly unit: 'image' | 'second'; readonly variant: string }
  | { readonly unit: 'request' }
);

const METER_OF: Readonly<Record<TokenType, Meter>> = {
  input: 'input_token',
  output: 'output_token',
  cache_read: 'cache_read_token',
  cache_write: 'cache_write_token',
};
const TEXT: readonly PaidKind[] = ['chat', 'responses', 'messages'];
const IMAGE: readonly PaidKind[] = ['image', 'image_edit', 'image_job', 'image_edit_job'];
const VIDEO: readonly PaidKind[] = ['video'];

/**
 * The published prices of the watched models at a moment: of the smallest size, without conditions beside our group, and
 * with the factors that hold for every such call. A price that is not one figure is left out.
 */
export function listedPrices(
  book: PriceBook,
  target: Pick<ProbeTarget, 'watched_models' | 'probes'>,
  moment: { readonly at_s: number; readonly group: string | null },
): readonly ListedPrice[] {
  return target.watched_models.flatMap((model) => {
    const probes = target.probes.filter((probe) => probe.model === model);
    const text = priced(book, model, TEXT, moment);
    const image = priced(book, model, IMAGE, moment);
    const video = priced(book, model, VIDEO, moment);
    const request = [text, image, video].flatMap((found) => only(found, requestOf(found)) ?? []);
    return [
      ...tokenPrices(model, text ?? image),
      ...variantPrices(model, 'image', image, probes),
      ...variantPrices(model, 'second', video, probes),
      ...request.slice(0, 1).map((usd) => ({ unit: 'request' as const, model, usd })),
    ];
  });
}

interface Priced {
  readonly entry: ModelPrice;
  readonly times: Rational;
}

function priced(
  book: PriceBook,
  model: string,
  endpoints: readonly PaidKind[],
  { at_s, group }: { readonly at_s: number; readonly group: string | null },
): Priced | null {
  for (const endpoint of endpoints) {
    const context: ChargeContext = { ...contextOf(model, endpoint), at_s, group };
    const entry = matchModel(book, context);
    if ('unpriced' in entry) continue;
    const applied = adjustmentsFor(book, context).filter((each) => isApplied(each, context));
    return { entry, times: applied.reduce(adjustedBy, UNADJUSTED).times };
  }
  return null;
}

function tokenPrices(model: string, found: Priced | null): readonly ListedPrice[] {
  if (found === null) return [];
  return (['input', 'output', 'cache_read', 'cache_write'] as const).flatMap((kind) => {
    const all = found.entry.components.filter(({ meter }) => meter === METER_OF[kind]);
    // The life of a cache entry is five minutes where nothing is said.
    const shortest = all.filter(({ ttl }) => ttl !== '1h');
    const usd = only(found, shortest.length === 0 ? all : shortest);
    return usd === null ? [] : [{ unit: 'token', model, kind, usd }];
  });
}

/** One price for each size and quality that probes ask for; of a model that none asks for, its one price. */
function variantPrices(
  model: string,
  unit: 'image' | 'second',
  found: Priced | null,
  probes: readonly Pick<Probe, 'api' | 'size' | 'quality'>[],
): readonly ListedPrice[] {
  if (found === null) return [];
  const apis: readonly string[] = unit === 'image' ? IMAGE : VIDEO;
  const asked = probes.filter(({ api }) => apis.includes(api));
  const variants = new Map(
    (asked.length === 0 ? [{ size: null, quality: null }] : asked).map(
      (each) => [variantOf(each), each] as const,
    ),
  );
  return [...variants].flatMap(([variant, { size, quality }]) => {
    const meter = unit === 'image' ? 'image' : 'video_second';
    const facts = { size, quality, resolution: unit === 'image' ? null : size, audio: null };
    const usd = only(found, matchingComponents(found.entry.components, meter, facts));
    return usd === null ? [] : [{ unit, model, variant, usd }];
  });
}

/** `1024x1024 high`; `default` where the configuration leaves both open. */
function variantOf({ size, quality }: Pick<Probe, 'size' | 'quality'>): string {
  const named = [size, quality].filter((part) => part !== null);
  return named.length === 0 ? 'default' : named.join(' ');
}

function requestOf(found: Priced | null): readonly PriceComponent[] {
  return found === null ? [] : found.entry.components.filter(({ meter }) => meter === 'request');
}

/** The adjusted price on which all components agree; null where there is none, or more than one. */
function only(found: Priced | null, components: readonly PriceComponent[]): Rational | null {
  const [first, ...others] = components.map(unitPrice);
  if (found === null || first === undefined) return null;
  if (others.some((other) => compareRational(other, first) !== 0)) return null;
  return multiplyRational(first, found.times);
}
