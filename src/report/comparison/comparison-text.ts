import { alignedRows } from '../../text/aligned-rows.ts';
import { comparisonTable } from '../sections/comparison-table.ts';
import { cellText } from '../sections/report-document.ts';
import { countWords, type RunComparison, toldFigures } from './run-comparison.ts';

/** The comparison of two runs as lines of a terminal: a table of what it can tell, and what it comes to. */
export function comparisonText({ before, after, figures, notes }: RunComparison): readonly string[] {
  const { columns, rows } = comparisonTable(toldFigures(figures)).table;
  const all = [columns.map(({ title }) => title), ...rows.map((row) => row.map(cellText))];
  const lines = alignedRows(all, (column) => columns[column]?.numeric !== true);
  return [
    `before ${before}, after ${after}`,
    ...lines,
    countWords(figures),
    ...notes.map((note) => `note: ${note}`),
  ];
}
