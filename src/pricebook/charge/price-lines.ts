import type { ModelPrice, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import { entriesOf } from './match-model.ts';
import { type TierPrices, tierPrices } from './tier-prices.ts';

/** One price of a book, as a reader of it would point at it. */
export interface PriceLine {
  readonly model: string;
  /** The meter with its options, the tier and the condition under which it holds. */
  readonly line: string;
  readonly entry: ModelPrice;
  /** The lowest tier that has it: above, it stays until a threshold restates it. */
  readonly tier: TierPrices;
  readonly component: PriceComponent;
}

/** All price lines of a model, each component once; those that read alike are told apart by their endpoints. */
export function priceLines(book: PriceBook, model: string): readonly PriceLine[] {
  const seen = new Set<PriceComponent>();
  const lines: PriceLine[] = [];
  for (const entry of entriesOf(book, model)) {
    for (const tier of tierPrices(entry)) {
      for (const component of tier.components) {
        if (seen.has(component)) continue;
        seen.add(component);
        lines.push({ model, line: lineName(entry, tier, component), entry, tier, component });
      }
    }
  }
  const byName = Map.groupBy(lines, ({ line }) => line);
  return lines.map((line) =>
    (byName.get(line.line)?.length ?? 0) < 2 || line.entry.endpoints === null
      ? line
      : { ...line, line: `${line.line} for ${line.entry.endpoints.join(', ')}` },
  );
}

function lineName(entry: ModelPrice, tier: TierPrices, component: PriceComponent): string {
  const { meter, size, quality, resolution, audio, ttl, mode, tool } = component;
  const sound = audio === undefined ? undefined : audio ? 'with sound' : 'without sound';
  const options = [size, quality, resolution, sound, ttl, mode, tool].filter((each) => each !== undefined);
  const conditions = [
    ...(tier.name === null ? [] : [`at ${tier.name}`]),
    ...Object.entries(entry.when)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => `with ${name} ${value}`),
    ...(entry.time_of_day === null ? [] : [`from ${entry.time_of_day.from} to ${entry.time_of_day.to} UTC`]),
  ];
  return [meter, ...options, ...conditions].join(' ');
}
