import { comparisonTable } from './comparison-table.ts';
import { cellText } from './report-document.ts';
import { countWords, type RunComparison, toldFigures } from './run-comparison.ts';

/** The comparison of two runs as lines of a terminal: a table of what it can tell, and what it comes to. */
export function comparisonText({ before, after, figures, notes }: RunComparison): readonly string[] {
  const { columns, rows } = comparisonTable(toldFigures(figures)).table;
  const all = [columns.map(({ title }) => title), ...rows.map((row) => row.map(cellText))];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) =>
        columns[column]?.numeric === true
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [
    `before ${before}, after ${after}`,
    ...lines,
    countWords(figures),
    ...notes.map((note) => `note: ${note}`),
  ];
}
