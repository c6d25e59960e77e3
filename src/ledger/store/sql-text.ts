/** A text as an SQL literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** File names as a literal that the readers take: none of them is a pattern. */
function sqlFiles(files: readonly string[]): string {
  return `[${files.map((file) => sqlText(withoutPattern(file))).join(', ')}]`;
}

/** `*`, `?` and `[` would be read as a pattern; in brackets each stands for itself. */
function withoutPattern(file: string): string {
  return file.replaceAll(/[*?[]/g, (sign) => `[${sign}]`);
}

/** Longest line that is read, bytes; the reader keeps several times as much for each thread. */
const LONGEST_LINE = 8_388_608;

/** The reader of NDJSON files; `columns` in its own notation. */
export function sqlLines(files: readonly string[], columns: string): string {
  return `read_ndjson(${sqlFiles(files)}, columns = ${columns}, maximum_object_size = ${LONGEST_LINE})`;
}
