const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;

/** What a spreadsheet takes for the beginning of a formula; some of them the full-width forms too. */
const RUNS = /^[=+\-@\t\r\n＝＋－＠]/;

/** One line of RFC 4180 with its CRLF; an empty cell is one that is not known. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * One cell. A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, tab or a line break: it gets an apostrophe in
 * front. A plain negative decimal stays a number: it computes nothing, and amounts must add up.
 */
export function csvCell(value: string): string {
  const safe = RUNS.test(value) && !PLAIN_DECIMAL.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
