import type { Figures, LoadProgress } from '../terminal/progress.ts';
import { KIND_COLUMNS, type KindColumn } from './kind-columns.ts';
import { type StyledLine, span } from './styled-line.ts';

const GAP = 2;

/** One line a kind under its heading, and the total last, with as many columns as have room. */
export function kindTable({ kinds, total }: LoadProgress, columns: number): readonly StyledLine[] {
  const rows = [
    ...kinds.map(({ kind, ...figures }): Row => ({ name: kind, figures })),
    ...(kinds.length === 1 ? [] : [{ name: 'total', figures: total }]),
  ];
  const nameWidth = Math.max('kind'.length, ...rows.map(({ name }) => name.length));
  const wide = KIND_COLUMNS.map((column) => ({ column, width: widthOf(column, rows) }));
  const shown = wide.filter(({ column }) => {
    const before = wide.filter((other) => other.column.rank <= column.rank);
    return before.reduce((sum, { width }) => sum + GAP + width, nameWidth) <= columns;
  });
  const cell = (text: string, width: number) => `${' '.repeat(GAP)}${text.padStart(width)}`;
  const heading = [
    span('kind'.padEnd(nameWidth), 'muted'),
    ...shown.map(({ column, width }) => span(cell(column.title, width), 'muted')),
  ];
  const lines = rows.map(({ name, figures }) => [
    span(name.padEnd(nameWidth), name === 'total' ? 'strong' : 'plain'),
    ...shown.map(({ column, width }) =>
      span(cell(column.cell(figures), width), column.tone?.(figures) ?? 'plain'),
    ),
  ]);
  return [heading, ...lines];
}

interface Row {
  readonly name: string;
  readonly figures: Figures;
}

function widthOf(column: KindColumn, rows: readonly Row[]): number {
  return Math.max(column.title.length, ...rows.map(({ figures }) => column.cell(figures).length));
}
