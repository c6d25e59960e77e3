import type { ModelPrice, PriceComponent } from '../../../contracts/price-book.ts';
import type { ChargeLine } from '../../../contracts/reconciliation.ts';
import { type ChargeFacts, spanOf } from '../../../pricebook/charge/charge-facts.ts';
import { matchModel } from '../../../pricebook/charge/match-model.ts';
import { matchingComponents } from '../../../pricebook/charge/option-components.ts';
import { tierPrices } from '../../../pricebook/charge/tier-prices.ts';
import { chargeContext } from '../../expect/call-facts.ts';
import type { Expected } from '../../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../../expect/judge-context.ts';
import type { JudgedSubject } from '../../judge/judgement.ts';

const TOOL = 'tool_call:';

const entries = new WeakMap<JudgedSubject, ModelPrice | null>();

/** The entry of the book by which a call is priced; null where none or more than one can be it. */
export function entryOf(context: JudgeContext, subject: JudgedSubject): ModelPrice | null {
  const known = entries.get(subject);
  if (known !== undefined) return known;
  const book = bookOf(context, subject.record);
  const entry = book === null ? null : matchModel(book, chargeContext(context, subject.call));
  const found = entry === null || 'unpriced' in entry ? null : entry;
  entries.set(subject, found);
  return found;
}

/** The prices that a call surely went over: units of which it is only possible that there are some do not count. */
export function linesUsed(entry: ModelPrice, expected: Expected): readonly PriceComponent[] {
  const { facts, lines } = expected;
  if (facts === null) return [];
  const components = reached(entry, expected, facts);
  return lines.flatMap((line): readonly PriceComponent[] => {
    if (!isSurelyUsed(line)) return [];
    const tiers = components.map((tier) => ofMeter(tier, line.meter, facts));
    // Of several that an open option leaves, none is known to be the one.
    return tiers.flatMap((fitting) => (fitting.length === 1 ? fitting : []));
  });
}

/** A cliff prices by the one tier of the call, a graduated price by all up to it. */
function reached(
  entry: ModelPrice,
  { tier }: Expected,
  facts: ChargeFacts,
): readonly (readonly PriceComponent[])[] {
  const all = tierPrices(entry);
  if (entry.tiers?.mode !== 'graduated') {
    return all.filter(({ name }) => name === (tier ?? null)).map(({ components }) => components);
  }
  const size = tierSize(entry, facts);
  return all.filter(({ from }) => size !== null && size >= from).map(({ components }) => components);
}

/** The size that decides the tier; null where it is not one figure. */
export function tierSize({ tiers }: ModelPrice, facts: ChargeFacts): bigint | null {
  switch (tiers?.basis) {
    case 'context_len':
      return point(facts.input);
    case 'output':
      return point(facts.output);
    case 'input': {
      const [input, read, write] = [facts.input, facts.cache_read, facts.cache_write].map(point);
      return input == null || read == null || write == null ? null : input - read - write;
    }
    default:
      return null;
  }
}

function point(quantity: ChargeFacts['input']): bigint | null {
  const span = spanOf(quantity);
  return span !== null && span.lo === span.hi ? span.lo : null;
}

function ofMeter(
  components: readonly PriceComponent[],
  meter: string,
  facts: ChargeFacts,
): readonly PriceComponent[] {
  if (meter === 'image' || meter === 'video_second') return matchingComponents(components, meter, facts);
  if (!meter.startsWith(TOOL)) return components.filter((each) => each.meter === meter);
  const tools = components.filter((each) => each.meter === 'tool_call');
  const named = tools.filter(({ tool }) => tool === meter.slice(TOOL.length));
  return named.length > 0 ? named : tools.filter(({ tool }) => tool === undefined);
}

/** `units` is a count, or `lo..hi`. */
function isSurelyUsed({ units }: ChargeLine): boolean {
  const [least = ''] = units.split('..');
  return /[1-9]/.test(least) && !least.startsWith('-');
}
