/** Rows of a table as lines of text: columns as wide as their widest cell, words at the left of theirs and figures at the right. */
export function alignedRows(
  rows: readonly (readonly string[])[],
  isWords: (column: number) => boolean = (column) => column === 0,
): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return isWords(column) ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
