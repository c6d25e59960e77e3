import type { ComparedFigure } from '../../contracts/comparison.ts';
import { ABSENT, figure } from '../words/figure-text.ts';
import { type Block, table } from './report-document.ts';

export const VERDICT_WORDS: Readonly<Record<ComparedFigure['verdict'], string>> = {
  worse: 'worse',
  better: 'better',
  same: 'no difference shown',
  too_few_calls: 'too few calls',
};

/** Figures of two runs, with what the difference may be by chance. Times are ms. */
export function comparisonTable(figures: readonly ComparedFigure[]): Extract<Block, { type: 'table' }> {
  return table(
    ['kind', 'measure', '#before', '#after', '#change', '#99 % interval of the difference', 'verdict'],
    figures.map(({ kind, measure, before, after, change, low, high, verdict }) => [
      kind,
      measure,
      figure(before),
      figure(after),
      changeText(change),
      low === null || high === null ? ABSENT : `${signed(low)} to ${signed(high)}`,
      VERDICT_WORDS[verdict],
    ]),
  );
}

export function changeText(change: number | null): string {
  return change === null ? ABSENT : `${change > 0 ? '+' : ''}${(change * 100).toFixed(1)} %`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${Number(value.toPrecision(3))}`;
}
