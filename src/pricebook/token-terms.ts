import type { Meter, ModelPrice, PriceComponent } from '../core/price-book.ts';
import { addRational, compareRational, RATIONAL_ZERO, type Rational } from '../core/rational.ts';
import { type ChargeFacts, isPoint, type Span, spanOf } from './charge-facts.ts';
import { type ChargeTerm, type RationalSpan, termOf, times, unitPrice } from './charge-term.ts';

export type Terms =
  | { readonly sum: RationalSpan; readonly lines: readonly ChargeTerm['line'][] }
  | { readonly unpriced: string };

const ZERO_SPAN: Span = { lo: 0n, hi: 0n };

/**
 * Input, cache reads, cache writes and output of a text model. Cache tokens are part of `input`, so their bounds hang
 * together: the cheapest and the dearest division of the input among the three meters are taken.
 */
export function tokenTerms(model: ModelPrice, facts: ChargeFacts): Terms {
  const input = spanOf(facts.input);
  const output = spanOf(facts.output);
  if (input === null) return { unpriced: 'the number of input tokens is not known' };
  if (output === null) return { unpriced: 'the number of output tokens is not known' };
  const read = spanOf(facts.cache_read) ?? ZERO_SPAN;
  const write = spanOf(facts.cache_write) ?? ZERO_SPAN;
  if (read.lo + write.lo > input.hi) return { unpriced: 'cache tokens exceed the input tokens' };
  const plain = atLeastZero({ lo: input.lo - read.hi - write.hi, hi: input.hi - read.lo - write.lo });
  const meters: readonly (readonly [Meter, Span])[] = [
    ['input_token', plain],
    ['cache_read_token', read],
    ['cache_write_token', write],
    ['output_token', output],
  ];
  const terms: ChargeTerm[] = [];
  for (const [meter, units] of meters) {
    if (units.hi === 0n && meter !== 'input_token' && meter !== 'output_token') continue;
    const component = tokenComponent(model, meter);
    if (component !== null) terms.push(termOf(meter, component, units));
    else if (units.hi > 0n) {
      return { unpriced: `the book gives no ${meter} price for ${JSON.stringify(model.model)}` };
    }
  }
  const request = componentOf(model, 'request');
  if (request !== null) terms.push(termOf('request', request, { lo: 1n, hi: 1n }));
  return {
    sum: { lo: extreme('lo', model, facts), hi: extreme('hi', model, facts) },
    lines: terms.map(({ line }) => line),
  };
}

/** Lowest or highest sum over all divisions of the input that the bounds allow. */
function extreme(side: 'lo' | 'hi', model: ModelPrice, facts: ChargeFacts): Rational {
  const input = spanOf(facts.input) ?? ZERO_SPAN;
  const read = spanOf(facts.cache_read) ?? ZERO_SPAN;
  const write = spanOf(facts.cache_write) ?? ZERO_SPAN;
  const output = spanOf(facts.output) ?? ZERO_SPAN;
  const floor = read.lo + write.lo;
  const total = side === 'lo' ? -lesser(-input.lo, -floor) : input.hi;
  const shares = [
    { price: priceOf(model, 'input_token'), room: total },
    { price: priceOf(model, 'cache_read_token'), room: read.hi - read.lo },
    { price: priceOf(model, 'cache_write_token'), room: write.hi - write.lo },
  ].sort((left, right) => compareRational(left.price, right.price) * (side === 'lo' ? 1 : -1));
  let sum = addRational(
    times(priceOf(model, 'cache_read_token'), read.lo),
    times(priceOf(model, 'cache_write_token'), write.lo),
  );
  let left = total - floor;
  for (const { price, room } of shares) {
    const taken = lesser(room, left);
    sum = addRational(sum, times(price, taken));
    left -= taken;
  }
  sum = addRational(sum, times(priceOf(model, 'output_token'), side === 'lo' ? output.lo : output.hi));
  return addRational(sum, priceOf(model, 'request'));
}

function componentOf(model: ModelPrice, meter: Meter): PriceComponent | null {
  return model.components.find((component) => component.meter === meter) ?? null;
}

/** Cache tokens are input: without a price of their own they are charged as such. */
function tokenComponent(model: ModelPrice, meter: Meter): PriceComponent | null {
  const own = componentOf(model, meter);
  const cache = meter === 'cache_read_token' || meter === 'cache_write_token';
  return own === null && cache ? componentOf(model, 'input_token') : own;
}

function priceOf(model: ModelPrice, meter: Meter): Rational {
  const component = tokenComponent(model, meter);
  return component === null ? RATIONAL_ZERO : unitPrice(component);
}

function lesser(left: bigint, right: bigint): bigint {
  return left <= right ? left : right;
}

function atLeastZero(span: Span): Span {
  return isPoint(span) ? span : { lo: span.lo < 0n ? 0n : span.lo, hi: span.hi };
}
