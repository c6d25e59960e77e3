import type { ModelPrice, Tiers } from '../../contracts/price-book.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';
import { tierPrices } from '../../pricebook/charge/tier-prices.ts';
import { withEntries } from './changed-book.ts';
import type { Hypothesis } from './hypothesis.ts';
import { knownCount, lineHypothesis } from './line-hypothesis.ts';
import type { MismatchedCell } from './price-cell.ts';

/** Prices of another tier than the size of the call has. */
export function tierHypotheses({ book, model }: MismatchedCell): readonly Hypothesis[] {
  const tiered = entriesOf(book, model).filter(({ tiers }) => tiers !== null);
  if (tiered.length === 0) return [];
  function tier(name: string, told: string, change: (entry: ModelPrice) => ModelPrice): Hypothesis {
    return lineHypothesis({
      name,
      class: 'tier_not_applied',
      told,
      book: withEntries(book, model, (entry) => (entry.tiers === null ? entry : change(entry))),
    });
  }
  const changing = (change: (tiers: Tiers) => Tiers) => (entry: ModelPrice) =>
    entry.tiers === null ? entry : { ...entry, tiers: change(entry.tiers) };
  const names = new Set(tiered.flatMap((entry) => tierPrices(entry).flatMap(({ name }) => name ?? [])));
  const other = tiered[0]?.tiers?.mode === 'graduated' ? 'cliff' : 'graduated';
  return [
    tier('tier_none', 'no tier is applied', (entry) => ({ ...entry, tiers: null })),
    ...[...names].map((name) =>
      tier(
        `tier_other:${name.replaceAll(' ', '')}`,
        `the tier "${name}" is applied whatever the size`,
        (entry) => ({
          ...entry,
          tiers: null,
          components:
            tierPrices(entry).find((prices) => prices.name === name)?.components ?? entry.components,
        }),
      ),
    ),
    tier(
      'tier_edge',
      'a size of exactly the threshold is taken to the other side of it',
      changing((tiers) => ({ ...tiers, inclusive: tiers.inclusive === 'gt' ? 'ge' : 'gt' })),
    ),
    tier(
      `tier_${other}`,
      otherMode(other),
      changing((tiers) => ({ ...tiers, mode: other })),
    ),
    tier(
      'tier_output_base',
      'the output is charged at the prices below the first threshold',
      changing(withoutOutput),
    ),
    ...(other === 'graduated'
      ? [
          tier(
            'tier_graduated_input',
            `${otherMode(other)}, the output at those below the first threshold`,
            changing((tiers) => withoutOutput({ ...tiers, mode: other })),
          ),
        ]
      : []),
    lineHypothesis({
      name: 'tier_without_cache',
      class: 'tier_not_applied',
      told: 'the tier is that of the input without its cached tokens',
      applies: ({ facts }) => knownCount(facts.cache_read) + knownCount(facts.cache_write) > 0n,
      book: withEntries(
        book,
        model,
        changing((tiers) => ({ ...tiers, basis: 'input' })),
      ),
    }),
  ];
}

function otherMode(mode: Tiers['mode']): string {
  return mode === 'graduated'
    ? 'each part of the size is charged at the prices of its own tier'
    : 'the whole call is charged at the prices of the highest tier that it reaches';
}

function withoutOutput(tiers: Tiers): Tiers {
  return {
    ...tiers,
    thresholds: tiers.thresholds.map(({ above, components }) => ({
      above,
      components: components.filter(({ meter }) => meter !== 'output_token' && meter !== 'reasoning_token'),
    })),
  };
}
