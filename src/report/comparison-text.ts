import type { ComparedFigure } from '../core/comparison.ts';
import { comparisonTable } from './comparison-table.ts';

/** The comparison of two runs as lines of a terminal: a table of what it can tell, and what it comes to. */
export function comparisonText(
  before: string,
  after: string,
  figures: readonly ComparedFigure[],
  notes: readonly string[],
): readonly string[] {
  const told = figures.filter(({ verdict }) => verdict !== 'too_few_calls');
  const { columns, rows } = comparisonTable(told).table;
  const all = [columns.map(({ title }) => title), ...rows];
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
    comparisonWords(figures),
    ...notes.map((note) => `note: ${note}`),
  ];
}

function comparisonWords(figures: readonly ComparedFigure[]): string {
  const count = (verdict: ComparedFigure['verdict']) =>
    figures.filter((figure) => figure.verdict === verdict).length;
  if (figures.length === 0) return 'the runs have no calls of the same kind to compare';
  return `${count('worse')} worse, ${count('better')} better, ${count('same')} without a difference that is shown, ${count('too_few_calls')} of too few calls`;
}
