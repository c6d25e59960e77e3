import type { ModelPrice, PriceComponent } from '../core/price-book.ts';
import { compareRational } from '../core/rational.ts';
import { type ChargeFacts, isPoint, spanOf } from './charge-facts.ts';
import { rationalSpanText, spanText, times, unitPrice } from './charge-term.ts';
import type { Terms } from './token-terms.ts';

/** Images × tier price, or seconds × tier price. Where the facts fit several tiers the sum is an interval. */
export function unitTerms(model: ModelPrice, facts: ChargeFacts): Terms {
  const video = model.kind === 'video';
  const units = spanOf(video ? facts.seconds : facts.images);
  if (units === null) return { unpriced: `the number of ${video ? 'seconds' : 'images'} is not known` };
  const fitting = matchingComponents(model, facts);
  const byPrice = [...fitting].sort((left, right) => compareRational(unitPrice(left), unitPrice(right)));
  const cheapest = byPrice[0];
  const dearest = byPrice.at(-1);
  if (cheapest === undefined || dearest === undefined) {
    const asked = video
      ? `resolution ${facts.resolution ?? 'unknown'}`
      : `size ${facts.size ?? 'unknown'}, quality ${facts.quality ?? 'unknown'}`;
    return { unpriced: `the book gives no price of ${JSON.stringify(model.model)} for ${asked}` };
  }
  const span = { lo: times(unitPrice(cheapest), units.lo), hi: times(unitPrice(dearest), units.hi) };
  const onePrice = compareRational(unitPrice(cheapest), unitPrice(dearest)) === 0;
  return {
    sum: span,
    lines: [
      {
        meter: cheapest.meter,
        units: spanText(isPoint(units) ? { lo: units.lo, hi: units.lo } : units),
        price: onePrice ? cheapest.price : `${cheapest.price}..${dearest.price}`,
        per: cheapest.per,
        subtotal: rationalSpanText(span),
      },
    ],
  };
}

/** The components a call may be priced by: the most exact match, or all that an `auto` or unknown option leaves open. */
export function matchingComponents(model: ModelPrice, facts: ChargeFacts): readonly PriceComponent[] {
  const meter = model.kind === 'video' ? 'video_second' : 'image';
  const fitting = model.components.filter(
    (component) =>
      component.meter === meter &&
      fits(component.size, facts.size) &&
      fits(component.quality, facts.quality) &&
      (fits(component.resolution, facts.resolution) || fits(component.resolution, linesOf(facts.resolution))),
  );
  const most = Math.max(0, ...fitting.map((component) => exactness(component, facts)));
  return fitting.filter((component) => exactness(component, facts) === most);
}

/** An option that the call left open fits every tier; a tier without the option fits every call. */
function fits(tier: string | undefined, asked: string | null): boolean {
  return tier === undefined || asked === null || asked === tier || asked === 'auto';
}

function exactness(component: PriceComponent, facts: ChargeFacts): number {
  const pairs = [
    [component.size, facts.size],
    [component.quality, facts.quality],
    [component.resolution, facts.resolution],
    [component.resolution, linesOf(facts.resolution)],
  ] as const;
  return pairs.filter(([tier, asked]) => tier !== undefined && tier === asked).length;
}

/** `1280x720` → `720p`: price lists name the shorter side. */
function linesOf(resolution: string | null): string | null {
  const match = /^(\d{2,5})x(\d{2,5})$/.exec(resolution ?? '');
  if (match === null) return resolution;
  return `${Math.min(Number(match[1]), Number(match[2]))}p`;
}
