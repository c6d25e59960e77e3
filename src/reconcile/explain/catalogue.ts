import type { PriceBook } from '../../contracts/price-book.ts';
import { isTextKind } from '../../core/call-kind.ts';
import { cacheHypotheses } from './cache-hypotheses.ts';
import type { Hypothesis } from './hypothesis.ts';
import { minimumHypothesis } from './minimum-hypothesis.ts';
import type { MismatchedRow } from './mismatched-row.ts';
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
import { unitHypotheses } from './unit-hypotheses.ts';

/** All explanations that the price book itself gives for the rows of a cell, in order of precedence. */
export function statedHypotheses(
  cell: MismatchedCell,
  archived: readonly PriceBook[],
): readonly Hypothesis[] {
  return [
    ...versionHypotheses(cell, archived),
    ...(isTextKind(cell.endpoint)
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
    ...(isTextKind(cell.endpoint) ? swappedPriceHypotheses(cell) : []),
    ...modelHypotheses(cell),
  ];
}

/** Explanations whose figure the rows themselves give. */
export function learntHypotheses(rows: readonly MismatchedRow[]): readonly Hypothesis[] {
  return [reserveHypothesis(rows), factorHypothesis(rows), minimumHypothesis(rows)].filter(
    (hypothesis) => hypothesis !== null,
  );
}
