import type { PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import { isTokenKind } from '../../core/call-kind.ts';
import { componentOf, repriced, withComponents } from './changed-book.ts';
import type { Hypothesis } from './hypothesis.ts';
import { knownCount, lineHypothesis } from './line-hypothesis.ts';
import type { MismatchedRow, PricedRow } from './mismatched-row.ts';
import {
  chargedTwice,
  factorHypothesis,
  reserveHypothesis,
  unitFactorHypotheses,
} from './multiple-hypotheses.ts';
import { modelHypotheses, versionHypotheses, whenHypotheses } from './other-entry-hypotheses.ts';
import type { MismatchedCell } from './price-cell.ts';
import { roundingHypotheses } from './rounding-hypotheses.ts';
import { reasoningHypotheses, swappedPriceHypotheses, toolHypotheses } from './text-hypotheses.ts';
import { tierHypotheses } from './tier-hypotheses.ts';
import { minimumHypothesis, unitHypotheses } from './unit-hypotheses.ts';

/** All explanations that the price book itself gives for the rows of a cell, in order of precedence. */
export function statedHypotheses(
  cell: MismatchedCell,
  archived: readonly PriceBook[],
): readonly Hypothesis[] {
  return [
    ...versionHypotheses(cell, archived),
    ...(isTokenKind(cell.endpoint)
      ? [
          ...cacheHypotheses(cell),
          ...reasoningHypotheses(),
          ...tierHypotheses(cell),
          ...whenHypotheses(cell),
          ...toolHypotheses(cell),
        ]
      : [...unitHypotheses(cell), ...whenHypotheses(cell)]),
    ...roundingHypotheses(cell),
    ...unitFactorHypotheses(),
    chargedTwice(),
    ...(isTokenKind(cell.endpoint) ? swappedPriceHypotheses(cell) : []),
    ...modelHypotheses(cell),
  ];
}

/** Explanations whose figure the rows themselves give. */
export function learntHypotheses(rows: readonly MismatchedRow[]): readonly Hypothesis[] {
  return [reserveHypothesis(rows), factorHypothesis(rows), minimumHypothesis(rows)].filter(
    (hypothesis) => hypothesis !== null,
  );
}

/** Cached tokens priced as something else. */
function cacheHypotheses({ book, model }: MismatchedCell): readonly Hypothesis[] {
  return [
    lineHypothesis({
      name: 'cache_both',
      class: 'cache_double_charge',
      told: 'cached tokens are charged at the input price and at the cache price',
      applies: (row) => reads(row) + writes(row) > 0n,
      facts: (facts) => ({
        ...facts,
        input: knownCount(facts.input) + knownCount(facts.cache_read) + knownCount(facts.cache_write),
      }),
    }),
    lineHypothesis({
      name: 'read_as_input',
      class: 'cache_read_at_full_price',
      told: 'tokens read from the cache are charged at the input price',
      applies: (row) => reads(row) > 0n,
      book: withComponents(book, model, (components) => repriced(components, 'cache_read_token', null)),
    }),
    lineHypothesis({
      name: 'write_as_read',
      class: 'cache_write_unbilled',
      confidence: 'strong',
      told: 'tokens written to the cache are charged at the price of a read',
      applies: (row) => writes(row) > 0n,
      book: withComponents(book, model, (components) =>
        repriced(components, 'cache_write_token', componentOf(components, 'cache_read_token')),
      ),
    }),
    lineHypothesis({
      name: 'write_free',
      class: 'cache_write_unbilled',
      confidence: 'strong',
      told: 'tokens written to the cache are not charged',
      applies: (row) => writes(row) > 0n,
      book: withComponents(book, model, (components) =>
        repriced(components, 'cache_write_token', { price: '0', per: '1' }),
      ),
    }),
    lineHypothesis({
      name: 'write_ttl',
      class: 'cache_write_unbilled',
      confidence: 'strong',
      told: 'tokens written to the cache are charged as those of the other life',
      applies: (row) => writes(row) > 0n,
      book: withComponents(book, model, (components) => components.map(otherLife)),
    }),
  ];
}

function reads({ facts }: PricedRow): bigint {
  return knownCount(facts.cache_read);
}

function writes({ facts }: PricedRow): bigint {
  return knownCount(facts.cache_write);
}

function otherLife(component: PriceComponent): PriceComponent {
  if (component.ttl === undefined) return component;
  return { ...component, ttl: component.ttl === '1h' ? '5m' : '1h' };
}
