import type { BookText } from '../book-text.ts';
import { isMapping } from '../unmapped-keys.ts';

/** Tables of `columns` and `rows` as rows with named fields, wherever they stand. */
export function tableRows(value: BookText): BookText {
  if (Array.isArray(value)) return value.map(tableRows);
  if (!isMapping(value)) return value;
  const columns = value['columns'] ?? value['header'];
  const { columns: _, header: __, rows, ...rest } = value;
  if (!Array.isArray(columns) || !Array.isArray(rows)) {
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, tableRows(held)]));
  }
  const named = rows.map((row): BookText => {
    if (!Array.isArray(row)) return row;
    return Object.fromEntries(
      row.map((held, index) => [String(columns[index] ?? `column ${index + 1}`), held]),
    );
  });
  return { ...rest, rows: named };
}
