import type { ModelPrice, PriceBook, PriceComponent, Rounding } from '../../contracts/price-book.ts';
import type { ChargeLine } from '../../contracts/reconciliation.ts';
import { addRational, RATIONAL_ZERO, subtractRational } from '../../core/rational.ts';
import { type ChargeFacts, isPoint, type UnitSpan } from './charge-facts.ts';
import { addSpans, type RationalSpan, rationalSpanText, spanText, times, unitPrice } from './charge-term.ts';
import { graduatedReason } from './graduated-reason.ts';
import {
  cheaper,
  dearer,
  flatSlot,
  type GraduatedPrice,
  graduatedSlot,
  type PricedSlot,
} from './priced-slot.ts';
import { cheapestAndDearest, larger, narrowed, type Shares, smaller } from './share-units.ts';
import { type TierPrices, tierPrices } from './tier-prices.ts';
import { type TokenGroup, type TokenGroups, tokenGroups } from './token-groups.ts';
import { unitTerms } from './unit-terms.ts';
import type { Unpriced } from './unpriced.ts';

/** What the facts may cost in one tier, before adjustments. */
export interface TierSum {
  readonly tier: TierPrices;
  readonly sum: RationalSpan;
  readonly lines: readonly ChargeLine[];
  /** Whether the call that costs least, and the one that costs most, used no unit of any meter. */
  readonly unused: { readonly lo: boolean; readonly hi: boolean };
}

export interface TierSums {
  readonly sums: readonly TierSum[];
  readonly warnings: readonly string[];
}

/** The sums of all tiers that the facts may fall in. */
export function tierSums(
  book: PriceBook,
  entry: ModelPrice,
  facts: ChargeFacts,
  rounding: Rounding,
): TierSums | Unpriced {
  const tokens = tokenGroups(book, entry, facts);
  if (tokens !== null && 'unpriced' in tokens) return tokens;
  const unsupported = tiersReason(entry, tokens);
  if (unsupported !== null) return unsupported;
  const sums: TierSum[] = [];
  const [whole, ...others] = tierPrices(entry);
  const graduated = entry.tiers?.mode === 'graduated';
  for (const tier of graduated ? [whole] : [whole, ...others]) {
    if (tier === undefined) continue;
    const shares = tokens === null ? null : sharesIn(entry, tokens, graduated ? { ...tier, to: null } : tier);
    if (shares === undefined) continue;
    const sum = sumIn(entry, tier, tokens, shares, facts, rounding);
    if ('unpriced' in sum) return sum;
    sums.push(sum);
  }
  if (sums.length === 0) return { unpriced: tooManyParts(tokens), why: 'units' };
  return { sums, warnings: tokens?.warnings ?? [] };
}

interface TokenShares {
  readonly input: Shares;
  readonly output: Shares;
}

/** How the tokens may divide among the meters where the size of the tier's basis lies in it; undefined: not at all. */
function sharesIn(entry: ModelPrice, tokens: TokenGroups, { from, to }: TierPrices): TokenShares | undefined {
  const basis = entry.tiers?.basis;
  const within = (total: UnitSpan): UnitSpan => ({
    lo: larger(total.lo, from),
    hi: to === null ? total.hi : smaller(total.hi, to),
  });
  const free = { lo: 0n, hi: null };
  const input = narrowed(
    basis === 'context_len' ? within(tokens.input.total) : tokens.input.total,
    tokens.input.parts.map(({ units }) => units),
    basis === 'input' ? { lo: from, hi: to } : free,
  );
  const output = narrowed(
    basis === 'output' ? within(tokens.output.total) : tokens.output.total,
    tokens.output.parts.map(({ units }) => units),
    free,
  );
  return input === null || output === null ? undefined : { input, output };
}

function sumIn(
  entry: ModelPrice,
  tier: TierPrices,
  tokens: TokenGroups | null,
  shares: TokenShares | null,
  facts: ChargeFacts,
  rounding: Rounding,
): TierSum | Unpriced {
  let sum: RationalSpan = NOTHING;
  const lines: ChargeLine[] = [];
  const used: UnitSpan[] = [];
  if (tokens !== null && shares !== null) {
    for (const side of ['input', 'output'] as const) {
      const slots = slotsOf(entry, tier, tokens[side], shares[side], side, rounding);
      if ('unpriced' in slots) return slots;
      const charges = slots.map(slotCharge);
      sum = addSpans(sum, groupSum(shares[side].total, charges));
      lines.push(...charges.map(slotLine));
      used.push(shares[side].total);
    }
    const { additive } = tokens;
    if (additive !== null) {
      const slot = flatSlot(additive.meter, additive.units, additive.prices(tier.components), rounding);
      if (slot === null) return noPrice(entry, additive.meter);
      const charge = slotCharge(slot);
      sum = addSpans(sum, charge.span);
      lines.push(slotLine(charge));
      used.push(additive.units);
    }
  }
  const units = unitTerms(entry, tier.components, facts, rounding);
  if ('unpriced' in units) return units;
  for (const term of units) {
    sum = addSpans(sum, term.sum);
    lines.push(term.line);
    if (term.units !== null) used.push(term.units);
  }
  if (lines.length === 0) return noPrice(entry, entry.kind === 'text' ? 'input_token' : entry.kind);
  return {
    tier,
    sum,
    lines,
    unused: { lo: used.every(({ lo }) => lo === 0n), hi: used.every(({ hi }) => hi === 0n) },
  };
}

/** The meters of one side with their prices; the plain rest first in the lines, last in the count. */
function slotsOf(
  entry: ModelPrice,
  tier: TierPrices,
  group: TokenGroup,
  shares: Shares,
  side: 'input' | 'output',
  rounding: Rounding,
): readonly PricedSlot[] | Unpriced {
  const { tiers } = entry;
  const graduated = tiers?.mode === 'graduated' && (tiers.basis === 'output') === (side === 'output');
  const slots: PricedSlot[] = [];
  let before: UnitSpan = { lo: 0n, hi: 0n };
  const all = [
    ...group.parts.map((part, index) => ({ part, units: shares.parts[index] ?? part.units })),
    { part: group.plain, units: shares.rest },
  ];
  for (const { part, units } of all) {
    const slot = graduated
      ? graduatedSlot(part.meter, units, before, bracketsOf(entry, part), rounding)
      : flatSlot(part.meter, units, part.prices(tier.components), rounding);
    if (slot !== null) slots.push(slot);
    else if (units.hi > 0n) return noPrice(entry, part.meter);
    // Only plain input makes the size that its tiers go by.
    if (tiers?.basis !== 'input') before = { lo: before.lo + units.lo, hi: before.hi + units.hi };
  }
  const rest = slots.findIndex(({ meter }) => meter === group.plain.meter);
  return rest < 0 ? slots : [...slots.slice(rest), ...slots.slice(0, rest)];
}

function bracketsOf(entry: ModelPrice, part: TokenGroup['plain']): readonly GraduatedPrice[] {
  return tierPrices(entry).flatMap((tier) => {
    const [component] = part.prices(tier.components);
    return component === undefined ? [] : [{ tier, component }];
  });
}

interface SlotCharge {
  readonly slot: PricedSlot;
  readonly span: RationalSpan;
}

/** Both bounds are the tighter of two: by dividing the total, and by every meter at its own bound. */
function groupSum(total: UnitSpan, charges: readonly SlotCharge[]): RationalSpan {
  const apart = charges.reduce<RationalSpan>((sum, { span }) => addSpans(sum, span), NOTHING);
  const own = charges.every(({ slot }) => slot.charge !== null);
  if (own && charges.every(({ slot }) => isPoint(slot.units))) return apart;
  const slack = charges.map(({ slot }) => slot.slack).reduce(addRational, RATIONAL_ZERO);
  const divided = cheapestAndDearest(
    total,
    charges.map(({ slot }) => slot),
  );
  const lo = dearer(subtractRational(divided.lo, slack), RATIONAL_ZERO);
  const hi = addRational(divided.hi, slack);
  return own ? { lo: dearer(lo, apart.lo), hi: cheaper(hi, apart.hi) } : { lo, hi };
}

const NOTHING: RationalSpan = { lo: RATIONAL_ZERO, hi: RATIONAL_ZERO };

function slotCharge(slot: PricedSlot): SlotCharge {
  const { charge, units, cheap, dear, slack } = slot;
  if (charge !== null) {
    const least = charge(units.lo);
    return { slot, span: isPoint(units) ? least : { lo: least.lo, hi: charge(units.hi).hi } };
  }
  const lo = dearer(subtractRational(times(cheap, units.lo), slack), RATIONAL_ZERO);
  return { slot, span: { lo, hi: addRational(times(dear, units.hi), slack) } };
}

function slotLine({ slot, span }: SlotCharge): ChargeLine {
  const { meter, units, price, per } = slot;
  return { meter, units: spanText(units), price, per, subtotal: rationalSpanText(span) };
}

/** Whether no call can cost anything by these prices. */
export function isFree(components: readonly PriceComponent[]): boolean {
  return components.every((component) => unitPrice(component).num === 0n);
}

function tiersReason(entry: ModelPrice, tokens: TokenGroups | null): Unpriced | null {
  const { tiers } = entry;
  if (tiers === null) return null;
  const id = JSON.stringify(entry.model);
  if (tiers.basis === 'cumulative_day') {
    return {
      unpriced: `the price of ${id} depends on what was used since midnight, which no single call tells`,
      why: 'unsupported',
    };
  }
  if (tokens === null) {
    return { unpriced: `the tiers of ${id} go by tokens, and it prices none`, why: 'unsupported' };
  }
  const reason = tiers.mode === 'graduated' ? graduatedReason(entry, tiers) : null;
  return reason === null ? null : { unpriced: reason, why: 'unsupported' };
}

function tooManyParts(tokens: TokenGroups | null): string {
  const cache = tokens?.input.parts.some(({ meter }) => meter.startsWith('cache_')) ?? false;
  const output = tokens?.output;
  const parts = output?.parts.reduce((sum, { units }) => sum + units.lo, 0n) ?? 0n;
  if (output !== undefined && parts > output.total.hi)
    return 'reasoning and other parts exceed the output tokens';
  return cache ? 'cache tokens exceed the input tokens' : 'parts of the input exceed the input tokens';
}

function noPrice(entry: ModelPrice, meter: string): Unpriced {
  return {
    unpriced: `the book gives no ${meter} price for ${JSON.stringify(entry.model)}`,
    why: 'component',
  };
}
