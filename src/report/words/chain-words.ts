import {
  CHAIN_CLASSES,
  type ChainClass,
  type ChainFinding,
  type ChainResult,
} from '../../contracts/chain-result.ts';
import { plural } from '../../text/plural.ts';
import { sumText, usd } from './figure-text.ts';

export const CHAIN_TITLES: Readonly<Record<ChainClass, string>> = {
  unbilled: 'unbilled',
  doubly_billed: 'doubly billed',
  model_swapped: 'sold as another model',
};

/** `revenue $3 − cost $2 = margin $1 + sold alone $0 − bought alone $0`. */
export function chainWords({ total }: ChainResult): string {
  const { revenue, cost, margin, sold_alone, bought_alone } = total;
  return `revenue ${usd(revenue)} − cost ${usd(cost)} = margin ${usd(margin)} + sold alone ${usd(sold_alone)} − bought alone ${usd(bought_alone)}`;
}

/** How many findings of each class, and what hangs on them. */
export function chainFindingWords(findings: readonly ChainFinding[]): string {
  return CHAIN_CLASSES.flatMap((name) => {
    const own = findings.filter((finding) => finding.class === name);
    if (own.length === 0) return [];
    const amount = sumText(own.map((finding) => finding.amount));
    return [`${plural(own.length, 'call')} ${CHAIN_TITLES[name]} (${usd(amount)})`];
  }).join(', ');
}

/** What leaves the chain without a conclusion; null where nothing does. */
export function unjoinedWords({ total, links, unknown }: ChainResult): string | null {
  if (total.sales === 0) return 'there is no record of a sale';
  if (total.purchases > 0 && links.length === 0)
    return 'no call of the upstream could be joined with a record';
  if (total.purchases === 0) return 'the upstream holds no call of the time of these records';
  if (unknown.sales + unknown.purchases === 0) return null;
  return `no amount is known of ${plural(unknown.sales, 'sale')} and ${plural(unknown.purchases, 'purchase')}`;
}
