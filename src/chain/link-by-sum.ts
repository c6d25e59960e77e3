import type { BoughtModels } from './bought-models.ts';
import { Clusters } from './clusters.ts';
import type { Link } from './link.ts';
import type { Purchase } from './purchase.ts';

/** Whether a purchase is a sum of calls, as a bill by day and model tells it, and no call. */
export function isSum({ until_ms }: Purchase): boolean {
  return until_ms !== null;
}

/**
 * Brings each sum of a bill together with all sales of its time whose model is bought under its name. Sums that share a
 * sale are one link: nothing tells which of them it is in.
 */
export function linkBySum(links: readonly Link[], models: BoughtModels): readonly Link[] {
  const sums = links.flatMap(({ sales, purchases }) => (sales.length === 0 ? purchases.filter(isSum) : []));
  if (sums.length === 0) return links;
  const sales = links.flatMap(({ sales: own, purchases }) =>
    purchases.length === 0 ? own.filter(({ state }) => state === 'recorded') : [],
  );
  const byModel = [...Map.groupBy(sales, ({ model }) => model)];
  const clusters = new Clusters();
  for (const sum of sums) {
    const [from, until] = [sum.at_ms ?? 0, sum.until_ms ?? 0];
    for (const [model, sold] of byModel) {
      if (!models.isBoughtFor(model, sum.model)) continue;
      for (const sale of sold)
        if (sale.from_ms !== null && sale.from_ms >= from && sale.from_ms < until) clusters.join(sale, sum);
    }
  }
  const taken = new Set<object>([...sales, ...sums]);
  const isTaken = ({ sales: [sale], purchases: [purchase] }: Link): boolean =>
    taken.has(sale ?? {}) || taken.has(purchase ?? {});
  return [
    ...links.filter((link) => !isTaken(link)),
    ...clusters.groups([...sales, ...sums]).map((link): Link => {
      const isPair = link.sales.length > 0 && link.purchases.length > 0;
      return { ...link, by: isPair ? 'sum' : null };
    }),
  ];
}
