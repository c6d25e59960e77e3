import type { ModelPrice, PriceComponent, Rounding } from '../../contracts/price-book.ts';
import type { ChargeLine } from '../../contracts/reconciliation.ts';
import { type Rational, rational, rationalOf } from '../../core/rational.ts';
import { type ChargeFacts, spanOf, type UnitSpan } from './charge-facts.ts';
import { type RationalSpan, rationalSpanText, rationalText, spanText } from './charge-term.ts';
import { matchingComponents } from './option-components.ts';
import { extremes, slotCharge, slotPriceText } from './priced-slot.ts';
import { tierPrices } from './tier-prices.ts';
import type { Unpriced } from './unpriced.ts';

/** What some units of a meter that stands for itself cost. */
export interface UnitTerm {
  readonly sum: RationalSpan;
  readonly line: ChargeLine;
  /** Null for a price of the call as such. */
  readonly units: UnitSpan | null;
}

/** Images, seconds, tool calls, characters, pages and the call itself, each where a tier of the entry prices it. */
export function unitTerms(
  entry: ModelPrice,
  components: readonly PriceComponent[],
  facts: ChargeFacts,
  rounding: Rounding,
): readonly UnitTerm[] | Unpriced {
  const terms: UnitTerm[] = [];
  const ofMeter = (meter: PriceComponent['meter']): readonly PriceComponent[] =>
    components.filter((component) => component.meter === meter);
  for (const [meter, quantity] of [
    ['image', facts.images],
    ['video_second', facts.seconds],
    ['character', facts.characters],
    ['page', facts.pages],
  ] as const) {
    if (!isPricedAnywhere(entry, meter)) continue;
    const units = spanOf(quantity);
    if (units === null) return { unpriced: `the number of ${WORDS[meter]} is not known`, why: 'units' };
    const options =
      meter === 'image' || meter === 'video_second'
        ? matchingComponents(components, meter, facts)
        : ofMeter(meter);
    if (options.length === 0) return { unpriced: noPrice(entry, meter, facts), why: 'component' };
    terms.push(
      unitTerm(meter, units, options, rounding, meter === 'video_second' ? partSecond(facts) : null),
    );
  }
  const tools = toolTerms(entry, ofMeter('tool_call'), facts.tools, rounding);
  if ('unpriced' in tools) return tools;
  terms.push(...tools);
  const request = matchingComponents(components, 'request', facts);
  if (request.length === 0 && ofMeter('request').length > 0)
    return { unpriced: noPrice(entry, 'video_second', facts), why: 'component' };
  if (request.length > 0) terms.push({ ...unitTerm('request', ONE, request, rounding, null), units: null });
  return terms;
}

const ONE: UnitSpan = { lo: 1n, hi: 1n };
const WORDS = { image: 'images', video_second: 'seconds', character: 'characters', page: 'pages' } as const;

function toolTerms(
  entry: ModelPrice,
  components: readonly PriceComponent[],
  tools: ChargeFacts['tools'],
  rounding: Rounding,
): readonly UnitTerm[] | Unpriced {
  if (!isPricedAnywhere(entry, 'tool_call')) return [];
  if (tools === null) return { unpriced: 'the number of tool calls is not known', why: 'units' };
  const terms: UnitTerm[] = [];
  for (const [name, quantity] of Object.entries(tools).sort(([one], [other]) => (one < other ? -1 : 1))) {
    const units = spanOf(quantity);
    if (units === null) {
      return {
        unpriced: `the number of calls of the tool ${JSON.stringify(name)} is not known`,
        why: 'units',
      };
    }
    const named = components.filter(({ tool }) => tool === name);
    const options = named.length > 0 ? named : components.filter(({ tool }) => tool === undefined);
    if (options.length > 0) terms.push(unitTerm(`tool_call:${name}`, units, options, rounding, null));
    else if (units.hi > 0n) {
      const model = JSON.stringify(entry.model);
      return {
        unpriced: `the book gives no price of the tool ${JSON.stringify(name)} for ${model}`,
        why: 'component',
      };
    }
  }
  return terms;
}

function unitTerm(
  meter: string,
  units: UnitSpan,
  options: readonly PriceComponent[],
  rounding: Rounding,
  part: Rational | null,
): UnitTerm {
  // Only a rule for parts of a unit says what one costs; without it the charge lies between both whole numbers.
  const exactly =
    part !== null && options.every(({ unit_rounding }) => unit_rounding !== undefined) ? part : null;
  const lo = slotCharge(options, exactly ?? rational(units.lo, 1n), rounding).lo;
  const hi = slotCharge(options, exactly ?? rational(units.hi, 1n), rounding).hi;
  const [cheapest, dearest] = extremes(options);
  if (cheapest === undefined || dearest === undefined) throw new RangeError('charge: a unit without a price');
  return {
    sum: { lo, hi },
    units,
    line: {
      meter,
      units: exactly === null ? spanText(units) : rationalText(exactly),
      price: slotPriceText(cheapest, dearest),
      per: cheapest.per,
      subtotal: rationalSpanText({ lo, hi }),
    },
  };
}

function partSecond({ seconds_exact }: ChargeFacts): Rational | null {
  return seconds_exact === null ? null : rationalOf(seconds_exact);
}

function isPricedAnywhere(entry: ModelPrice, meter: PriceComponent['meter']): boolean {
  return tierPrices(entry).some(({ components }) => components.some((each) => each.meter === meter));
}

function noPrice({ model }: ModelPrice, meter: keyof typeof WORDS, facts: ChargeFacts): string {
  const id = JSON.stringify(model);
  switch (meter) {
    case 'image':
      return `the book gives no price of ${id} for size ${facts.size ?? 'unknown'}, quality ${facts.quality ?? 'unknown'}`;
    case 'video_second':
      return `the book gives no price of ${id} for resolution ${facts.resolution ?? 'unknown'}`;
    case 'character':
    case 'page':
      return `the book gives no ${meter} price for ${id}`;
  }
}
