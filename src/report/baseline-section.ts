import type { BaselineResult } from '../core/comparison.ts';
import { comparisonTable } from './comparison-table.ts';
import { type Section, table, text } from './report-document.ts';

/** The run against the one that it may not be worse than. */
export function baselineSection({ run_id, limits, figures, unsound }: BaselineResult): Section {
  return {
    id: 'baseline',
    title: 'Against the baseline',
    blocks: [
      text(
        `Before is run ${run_id}, after is this one. A limit is plain: it is passed where a measure of this run is worse by more than it allows, and its interval leaves 0 out; without the latter the run is inconclusive. That one run passes a limit does not show that the target changed.`,
      ),
      ...(unsound.length === 0 ? [] : [text(`Times are not judged: ${unsound.join('; ')}.`)]),
      { type: 'intervals', figures },
      comparisonTable(figures),
      table(
        ['limit', 'kind', '#worse by at most'],
        limits.map(({ kind, measure, most }) => [
          measure,
          kind ?? 'every',
          `${Number((most * 100).toFixed(6))} %`,
        ]),
      ),
    ],
  };
}
