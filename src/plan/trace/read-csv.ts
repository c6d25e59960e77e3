/** A field of a CSV file with its place, counted from 1. */
export interface CsvField {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** What breaks RFC 4180, and where. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly line: number;
  readonly column: number;

  constructor(rule: string, place: { line: number; column: number }) {
    super(rule);
    this.line = place.line;
    this.column = place.column;
  }
}

/**
 * The records of an RFC 4180 text, header included: fields between commas, in double quotes where they hold commas,
 * quotes (doubled) or line ends. Lines end with CRLF or LF; empty ones count for nothing; every record has as many fields
 * as the first. Throws CsvError.
 */
export function* readCsv(text: string): Generator<readonly CsvField[]> {
  const cursor: Cursor = { text, at: text.startsWith('\uFEFF') ? 1 : 0, line: 1, lineStart: 0 };
  cursor.lineStart = cursor.at;
  let width: number | null = null;
  while (cursor.at < text.length) {
    if (skipLineEnd(cursor)) continue;
    const record = readRecord(cursor);
    width ??= record.length;
    if (record.length !== width) {
      const line = record[0]?.line ?? cursor.line;
      throw new CsvError(`must have ${width} fields as the first line has, not ${record.length}`, {
        line,
        column: 1,
      });
    }
    yield record;
  }
}

interface Cursor {
  readonly text: string;
  at: number;
  line: number;
  lineStart: number;
}

function readRecord(cursor: Cursor): CsvField[] {
  const record: CsvField[] = [];
  for (;;) {
    const place = { line: cursor.line, column: cursor.at - cursor.lineStart + 1 };
    record.push({ text: cursor.text[cursor.at] === '"' ? readQuoted(cursor) : readPlain(cursor), ...place });
    if (cursor.text[cursor.at] !== ',') break;
    cursor.at += 1;
  }
  skipLineEnd(cursor);
  return record;
}

function readPlain(cursor: Cursor): string {
  const begin = cursor.at;
  for (; cursor.at < cursor.text.length; cursor.at += 1) {
    const character = cursor.text[cursor.at];
    if (character === ',' || isLineEnd(cursor)) break;
    if (character === '"') {
      throw new CsvError('must have a field with a quote in it in quotes', placeOf(cursor));
    }
  }
  return cursor.text.slice(begin, cursor.at);
}

function readQuoted(cursor: Cursor): string {
  const opened = placeOf(cursor);
  let value = '';
  for (;;) {
    const close = cursor.text.indexOf('"', cursor.at + 1);
    if (close === -1) throw new CsvError('must close the quote that opens here', opened);
    value += cursor.text.slice(cursor.at + 1, close);
    cursor.at = close + 1;
    if (cursor.text[cursor.at] !== '"') break;
    value += '"';
  }
  const lines = value.split('\n').length - 1;
  if (lines > 0) {
    cursor.line += lines;
    cursor.lineStart = cursor.text.lastIndexOf('\n', cursor.at) + 1;
  }
  if (cursor.at < cursor.text.length && cursor.text[cursor.at] !== ',' && !isLineEnd(cursor)) {
    throw new CsvError('must have a comma or a line end after a quoted field', placeOf(cursor));
  }
  return value;
}

function isLineEnd({ text, at }: Cursor): boolean {
  return text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n');
}

function skipLineEnd(cursor: Cursor): boolean {
  if (!isLineEnd(cursor)) return false;
  cursor.at += cursor.text[cursor.at] === '\r' ? 2 : 1;
  cursor.line += 1;
  cursor.lineStart = cursor.at;
  return true;
}

function placeOf({ at, line, lineStart }: Cursor) {
  return { line, column: at - lineStart + 1 };
}
