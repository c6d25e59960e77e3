import type { Meter, ModelPrice, Tiers } from '../../contracts/price-book.ts';

/** The meters that make up a size, so that their units have a place in it. */
const METERS: Readonly<Record<Tiers['basis'], readonly Meter[]>> = {
  context_len: ['input_token', 'cache_read_token', 'cache_write_token'],
  input: ['input_token'],
  output: ['output_token'],
  cumulative_day: [],
};

/** Why graduated tiers cannot be worked out: a unit that is no part of the size has no place in it. */
export function graduatedReason(entry: ModelPrice, tiers: Tiers): string | null {
  const id = JSON.stringify(entry.model);
  const meters = METERS[tiers.basis];
  for (const { above, components } of tiers.thresholds) {
    for (const { meter, ttl, unit_rounding } of components) {
      if (!meters.includes(meter)) {
        return `the tier of ${id} above ${above} restates ${meter}, which is no part of ${tiers.basis}`;
      }
      if (ttl !== undefined || unit_rounding !== undefined) {
        return `the tier of ${id} above ${above} divides ${meter} by more than its place`;
      }
    }
  }
  const own = entry.components.filter(({ meter }) => meters.includes(meter));
  const several = own.some(({ meter, ttl, unit_rounding }) => {
    return (
      ttl !== undefined || unit_rounding !== undefined || own.filter((one) => one.meter === meter).length > 1
    );
  });
  return several ? `the graduated prices of ${id} are narrowed by more than a size` : null;
}
