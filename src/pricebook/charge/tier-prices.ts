import type { ModelPrice, PriceComponent } from '../../contracts/price-book.ts';

/** The prices of an entry for sizes from `from` to `to`, both inside; `to` null: without end. */
export interface TierPrices {
  /** Such as `context_len > 200000`; null below the first threshold. */
  readonly name: string | null;
  readonly from: bigint;
  readonly to: bigint | null;
  readonly components: readonly PriceComponent[];
}

const known = new WeakMap<ModelPrice, readonly TierPrices[]>();

/** All tiers of an entry from the smallest size up; one without end where it has none. */
export function tierPrices(entry: ModelPrice): readonly TierPrices[] {
  const before = known.get(entry);
  if (before !== undefined) return before;
  const tiers = workedOut(entry);
  known.set(entry, tiers);
  return tiers;
}

function workedOut({ components, tiers }: ModelPrice): readonly TierPrices[] {
  const thresholds = [...(tiers?.thresholds ?? [])]
    .map(({ above, components: changed }) => ({ above: BigInt(above), changed }))
    .sort((left, right) => (left.above < right.above ? -1 : left.above > right.above ? 1 : 0));
  const passesEqual = tiers?.inclusive === 'ge';
  const starts = thresholds.map(({ above }) => (passesEqual ? above : above + 1n));
  let held = components;
  const result: TierPrices[] = [
    { name: null, from: 0n, to: starts[0] === undefined ? null : starts[0] - 1n, components: held },
  ];
  thresholds.forEach(({ above, changed }, index) => {
    const restated = new Set(changed.map(optionKey));
    held = [...held.filter((component) => !restated.has(optionKey(component))), ...changed];
    const next = starts[index + 1];
    result.push({
      name: `${tiers?.basis ?? ''} ${passesEqual ? '>=' : '>'} ${above}`,
      from: starts[index] ?? 0n,
      to: next === undefined ? null : next - 1n,
      components: held,
    });
  });
  return result;
}

/** What a component prices, apart from how much. */
function optionKey({ meter, size, quality, resolution, audio, ttl, tool }: PriceComponent): string {
  return JSON.stringify([meter, size, quality, resolution, audio, ttl, tool]);
}
