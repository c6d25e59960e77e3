/** Prints rows of text with their columns aligned: the first to the left, the others to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  for (const line of alignRows(rows)) console.log(`  ${line}`);
}

/** One line of text a row. */
export function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
