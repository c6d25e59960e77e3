import {
  ALONE_REASONS,
  type ChainFinding,
  type ChainModel,
  type ChainResult,
  LINK_WAYS,
} from '../contracts/chain-result.ts';
import type { UpstreamCall, UpstreamHeader } from '../contracts/upstream-call.ts';
import { formatAmount } from '../core/amount.ts';
import { compareText } from '../core/compare-text.ts';
import { type Alone, aloneOf } from './alone.ts';
import { BoughtModels } from './bought-models.ts';
import { chainFindings } from './chain-findings.ts';
import { chainSums } from './chain-sums.ts';
import { furtherCharges } from './doubly-billed.ts';
import type { Link } from './link.ts';
import { linkByPrint } from './link-by-print.ts';
import { linkBySum } from './link-by-sum.ts';
import { linkExactly } from './link-exactly.ts';
import { type Purchase, purchasesOf } from './purchase.ts';
import type { Sale } from './sale.ts';
import { type Span, whereOf } from './span.ts';
import { sumOfKnown } from './sum-of-known.ts';

/** What was bought, and what is declared of it. */
export interface Upstream {
  readonly header: UpstreamHeader;
  readonly calls: readonly UpstreamCall[];
}

export interface ChainTerms {
  /** Says which findings decide the exit status. */
  readonly gates: (finding: Pick<ChainFinding, 'severity' | 'amount'>) => boolean;
  /** The time whose records were read; null where only the calls tell. */
  readonly period: Span | null;
}

/**
 * Holds what a gateway sold against what it bought for it: margin, and what was bought or sold alone. Pure: the same
 * books give the same chain, in whatever order their lines come.
 */
export function chain(
  sales: readonly Sale[],
  { header, calls }: Upstream,
  { gates, period }: ChainTerms,
): ChainResult {
  const all = purchasesOf(calls);
  const exact = linkExactly(sales, all);
  const models = new BoughtModels(
    exact,
    header.models,
    all.map(({ model }) => model),
  );
  const linked = linkBySum(linkByPrint(exact, models), models);
  const where = whereOf(sales, period);
  const links = linked.filter((link) => where(link) !== 'outside');
  const outside = linked.filter((link) => where(link) === 'outside').flatMap(({ purchases }) => purchases);
  const alone = aloneOf(links, { whole: header.whole, isEdge: (link) => where(link) === 'edge' });
  const further = new Map(links.map((link) => [link, furtherCharges(link)]));
  const again = [...further.values()].flat().filter(({ proved }) => !proved);
  return {
    upstream: { kind: header.kind, mapping: header.mapping, whole: header.whole },
    ...chainSums(links, {
      unbilled: new Set(alone.filter(({ why }) => why === 'unbilled').map(({ link }) => link)),
      further,
    }),
    links: LINK_WAYS.flatMap((by) => {
      const own = links.filter((link) => link.by === by);
      if (own.length === 0) return [];
      return [{ by, sales: countOf(own, 'sales'), purchases: countOf(own, 'purchases') }];
    }),
    models: modelsOf(links),
    alone: ALONE_REASONS.flatMap((why) => aloneSum(alone, why)),
    sold_again: { count: again.length, amount: formatAmount(sumOfKnown(again.map(({ amount }) => amount))) },
    outside: { count: outside.length, amount: formatAmount(sumOfKnown(outside.map(({ cost }) => cost))) },
    unknown: {
      sales: links
        .flatMap((link) => link.sales)
        .filter(({ state, charged }) => state === 'recorded' && charged === null).length,
      purchases: links.flatMap((link) => link.purchases).filter(({ cost }) => cost === null).length,
    },
    findings: chainFindings(links, { alone, further, models }, gates),
  };
}

function countOf(links: readonly Link[], side: 'sales' | 'purchases'): number {
  return links.reduce((total, link) => total + link[side].length, 0);
}

function aloneSum(alone: readonly Alone[], why: Alone['why']): ChainResult['alone'] {
  const purchases: readonly Purchase[] = alone
    .filter((each) => each.why === why)
    .flatMap(({ link }) => link.purchases);
  if (purchases.length === 0) return [];
  return [
    { why, count: purchases.length, amount: formatAmount(sumOfKnown(purchases.map(({ cost }) => cost))) },
  ];
}

/** What was bought for what was sold, by their names. */
function modelsOf(links: readonly Link[]): ChainModel[] {
  const pairs = links.filter(({ sales, purchases }) => sales.length > 0 && purchases.length > 0);
  const groups = Map.groupBy(pairs, ({ sales: [sale], purchases }) =>
    JSON.stringify([sale?.model ?? '', [...new Set(purchases.map(({ model }) => model))].sort().join(' + ')]),
  );
  return [...groups.values()]
    .flatMap((group): ChainModel[] => {
      const [first] = group;
      if (first === undefined) return [];
      return [
        {
          sold: first.sales[0]?.model ?? '',
          bought: [...new Set(first.purchases.map(({ model }) => model))].sort().join(' + '),
          calls: countOf(group, 'sales'),
          revenue: formatAmount(
            sumOfKnown(group.flatMap(({ sales }) => sales.map(({ charged }) => charged))),
          ),
          cost: formatAmount(sumOfKnown(group.flatMap(({ purchases }) => purchases.map(({ cost }) => cost)))),
        },
      ];
    })
    .toSorted((left, right) => compareText(left.sold, right.sold) || compareText(left.bought, right.bought));
}
