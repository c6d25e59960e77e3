import type { BoughtModels } from './bought-models.ts';
import type { Link } from './link.ts';
import type { Purchase } from './purchase.ts';
import type { Sale } from './sale.ts';
import { CLOCKS_MS } from './span.ts';

/**
 * Brings together what has no id in common: the same tokens, a model that is bought for the one sold, inside the time of
 * the call. Only where one sale fits one purchase and no other: where several do, any of them may be another's.
 */
export function linkByPrint(links: readonly Link[], models: BoughtModels): readonly Link[] {
  const sales = links.flatMap(({ sales: own, purchases }) => (purchases.length === 0 ? own : []));
  const purchases = links.flatMap(({ sales: own, purchases: bought }) => (own.length === 0 ? bought : []));
  const byPrint = Map.groupBy(purchases, printOf);
  const fits = new Map<Sale, readonly Purchase[]>(
    sales.map((sale) => [
      sale,
      sale.state !== 'recorded' || sale.tokens === null
        ? []
        : (byPrint.get(printOf(sale)) ?? []).filter((purchase) => isInTime(sale, purchase, models)),
    ]),
  );
  const asked = new Map<Purchase, number>();
  for (const found of fits.values())
    for (const purchase of found) asked.set(purchase, (asked.get(purchase) ?? 0) + 1);
  const linked = [...fits].flatMap(([sale, [purchase, ...others]]): readonly Link[] =>
    purchase === undefined || others.length > 0 || asked.get(purchase) !== 1
      ? []
      : [{ sales: [sale], purchases: [purchase], by: 'fingerprint' }],
  );
  const gone = new Set<Sale | Purchase>(linked.flatMap((link) => [...link.sales, ...link.purchases]));
  return [
    ...links.filter(({ sales: [sale], purchases: [purchase] }) => !isGone(sale) && !isGone(purchase)),
    ...linked,
  ];

  function isGone(member: Sale | Purchase | undefined): boolean {
    return member !== undefined && gone.has(member);
  }
}

function printOf({ tokens }: Pick<Sale | Purchase, 'tokens'>): string {
  return tokens === null ? '' : tokens.join();
}

function isInTime(
  { model, from_ms, to_ms }: Sale,
  { model: bought, at_ms }: Purchase,
  models: BoughtModels,
): boolean {
  if (from_ms === null || to_ms === null || at_ms === null || !models.isBoughtFor(model, bought))
    return false;
  return at_ms >= from_ms - CLOCKS_MS && at_ms <= to_ms + CLOCKS_MS;
}
