import { hash } from 'node:crypto';
import type { ChainClass, ChainFinding } from '../contracts/chain-result.ts';
import type { Warrant } from '../contracts/warrant.ts';
import { formatAmount, type PicoUsd } from '../core/amount.ts';
import { compareText } from '../core/compare-text.ts';
import { plural } from '../text/plural.ts';
import type { Alone } from './alone.ts';
import type { BoughtModels, Swap } from './bought-models.ts';
import type { FurtherCharges } from './doubly-billed.ts';
import type { Link } from './link.ts';
import { dayOfLink, placeOfLink } from './link-place.ts';
import { sumOfKnown } from './sum-of-known.ts';

const SEVERITIES = { unbilled: 'S2', doubly_billed: 'S1', model_swapped: 'S1' } as const;

/** What is wrong between the books. `gates` says of each whether it decides the exit status. */
export function chainFindings(
  links: readonly Link[],
  parts: {
    readonly alone: readonly Alone[];
    readonly further: ReadonlyMap<Link, readonly FurtherCharges[]>;
    readonly models: BoughtModels;
  },
  gates: (finding: Pick<ChainFinding, 'severity' | 'amount'>) => boolean,
): readonly ChainFinding[] {
  const { alone, further, models } = parts;
  const found = [
    ...alone.flatMap(({ link, why, warrant }) =>
      why === 'unbilled' && warrant ? [unbilled(link, warrant)] : [],
    ),
    ...[...further].flatMap(([link, charges]) =>
      charges.filter(({ proved }) => proved).map((each) => doublyBilled(link, each)),
    ),
    ...links.flatMap((link) => {
      const swap = models.swapOf(link);
      return swap === null ? [] : [swapped(link, swap)];
    }),
  ];
  return found
    .map((finding) => ({ ...finding, gates: gates(finding) }))
    .toSorted((left, right) => compareText(left.class, right.class) || compareText(left.id, right.id));
}

type Found = Omit<ChainFinding, 'gates'>;

function unbilled(link: Link, warrant: Warrant): Found {
  const cost = sumOfKnown(link.purchases.map((purchase) => purchase.cost));
  const [sale] = link.sales;
  const whom =
    sale === undefined ? 'no record and no call of these books is its own' : 'no record charges its call';
  return found('unbilled', link, {
    warrant,
    amount: cost,
    why: `the provider charges $${formatAmount(cost)} for ${namesOf(link)}, and ${whom}`,
  });
}

function doublyBilled(link: Link, { sale, amount }: FurtherCharges): Found {
  const request = sale.request_id === null ? 'a call' : `request ${sale.request_id}`;
  return found(
    'doubly_billed',
    { ...link, sales: [sale] },
    {
      warrant: { kind: 'document', of: 'the records of one request and the bill of the provider' },
      amount,
      why: `${request} was bought ${plural(link.purchases.length, 'time')} and is charged once more, by $${formatAmount(amount)}`,
    },
  );
}

function swapped(link: Link, { warrant, instead_of }: NonNullable<Swap>): Found {
  const revenue = sumOfKnown(link.sales.map(({ charged }) => charged));
  const { model } = placeOfLink(link);
  const bought = link.purchases[0]?.model ?? '';
  return found('model_swapped', link, {
    warrant,
    amount: revenue,
    why: `sold as ${model} for $${formatAmount(revenue)}, bought as ${bought} and not as ${instead_of}`,
  });
}

function found(
  name: ChainClass,
  link: Link,
  { warrant, amount, why }: { readonly warrant: Warrant; readonly amount: PicoUsd; readonly why: string },
): Found {
  const [sale] = link.sales;
  const upstream = link.purchases.map((purchase) => purchase.name);
  const { model } = placeOfLink(link);
  const bought = link.purchases[0]?.model ?? null;
  const isHabit = warrant.kind === 'habit';
  return {
    id: hash(
      'sha256',
      [name, sale?.call_id, sale?.request_id, ...upstream, formatAmount(amount)].join('|'),
      'hex',
    ).slice(0, 16),
    class: name,
    severity: isHabit ? 'S3' : SEVERITIES[name],
    confidence: isHabit ? 'bounded' : warrant.kind === 'observation' ? 'proved' : 'strong',
    warrant,
    day: dayOfLink(link),
    model,
    bought_model: bought,
    amount: formatAmount(amount),
    request_id: sale?.request_id ?? null,
    call_id: sale?.call_id ?? null,
    upstream,
    why,
  };
}

function namesOf({ purchases }: Link): string {
  const [first] = purchases;
  return purchases.length === 1
    ? (first?.name ?? '')
    : `${first?.name} and ${plural(purchases.length - 1, 'attempt')} more`;
}
