import type { CallUnits } from '../../core/ledger-lines.ts';
import type { PriceBook, PriceComponent } from '../../core/price-book.ts';
import { contextOf } from '../../pricebook/charge-context.ts';
import { type ChargeFacts, NO_FACTS } from '../../pricebook/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/evaluate-charge.ts';
import { entriesOf } from '../../pricebook/match-model.ts';
import type { ServedRecord } from './served-record.ts';

/** More images or seconds than one call makes: a multiple beyond proves nothing. */
const MOST_UNITS = 3_600n;

/**
 * The fewest images or seconds, of some size or resolution of the book, that cost exactly what the record charges: its
 * amount is then possible. Null where no multiple of any price of the model is that amount.
 */
export function unitsOfAmount(book: PriceBook, { model, amount }: ServedRecord): CallUnits | null {
  const charged = amount.exact;
  if (charged === null || charged <= 0n) return null;
  let best: { readonly count: bigint; readonly units: CallUnits } | null = null;
  for (const entry of entriesOf(book, model)) {
    const { kind } = entry;
    if (kind === 'text') continue;
    const endpoint = entry.endpoints?.[0] ?? (kind === 'video' ? 'video' : 'image');
    for (const component of entry.components) {
      const chargeFor = (count: bigint): bigint | null => {
        const charge = evaluateCharge(book, factsOf(kind, component, count), contextOf(model, endpoint));
        return 'unpriced' in charge ? null : charge.rounded;
      };
      const one = chargeFor(1n);
      if (one === null || one <= 0n) continue;
      const count = charged / one;
      if (count < 1n || count > MOST_UNITS || chargeFor(count) !== charged) continue;
      if (best === null || count < best.count) best = { count, units: unitsOf(kind, component, count) };
    }
  }
  return best?.units ?? null;
}

function factsOf(kind: 'image' | 'video', component: PriceComponent, count: bigint): ChargeFacts {
  const options = {
    ...NO_FACTS,
    size: component.size ?? null,
    quality: component.quality ?? null,
    resolution: component.resolution ?? null,
    tools: {},
  };
  return kind === 'video' ? { ...options, seconds: count } : { ...options, images: count };
}

function unitsOf(kind: 'image' | 'video', component: PriceComponent, count: bigint): CallUnits {
  const video = kind === 'video';
  return {
    images: video ? null : Number(count),
    size: component.size ?? null,
    quality: component.quality ?? null,
    seconds: video ? Number(count) : null,
    resolution: component.resolution ?? null,
  };
}
