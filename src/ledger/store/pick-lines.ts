import { open } from 'node:fs/promises';

/** A line of one of several files. */
export interface PickedLine {
  readonly file: string;
  /** In its file, from 1. */
  readonly number: number;
  /** Among all lines of all files that are not empty, from 0. */
  readonly row: number;
  readonly text: string;
  /** False for a line that is here only because JSON.parse may refuse what DuckDB took. */
  readonly wanted: boolean;
}

const CHUNK = 4_194_304;
const [NEWLINE, COMMA, CLOSING] = [10, 44, 125];
/** White space and numbers that only DuckDB takes. */
const SIGNS: readonly (string | number)[] = ['NaN', 'Inf', 11, 12];

/**
 * The lines that stand at `rows` (ascending), found by counting ends of lines, and besides those that hold what only
 * DuckDB takes for JSON: a comma before their end, NaN, Infinity, a vertical tab, a form feed.
 */
export async function* pickLines(
  files: readonly string[],
  rows: readonly number[],
): AsyncGenerator<PickedLine, void, undefined> {
  let row = -1;
  let next = 0;
  for (const file of files) {
    let number = 0;
    for await (const { bytes, odd } of wholeLines(file)) {
      let start = 0;
      while (start < bytes.length) {
        const newline = bytes.indexOf(NEWLINE, start);
        const end = newline === -1 ? bytes.length : newline;
        number += 1;
        if (!isBlank(bytes, start, end)) {
          row += 1;
          const wanted = row === rows[next];
          if (wanted) next += 1;
          if (wanted || endsOddly(bytes, end) || (odd && hasSign(bytes.subarray(start, end)))) {
            yield { file, number, row, text: bytes.toString('utf8', start, end), wanted };
          }
        }
        start = end + 1;
      }
    }
  }
}

/** A file in parts that end with a line; `odd` where a part holds one of the signs. */
async function* wholeLines(
  file: string,
): AsyncGenerator<{ readonly bytes: Buffer; readonly odd: boolean }, void> {
  const handle = await open(file);
  try {
    let buffer = Buffer.allocUnsafe(CHUNK);
    let held = 0;
    while (true) {
      if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(CHUNK)]);
      const { bytesRead } = await handle.read(buffer, held, buffer.length - held);
      const filled = held + bytesRead;
      const last = bytesRead === 0 ? filled : buffer.subarray(0, filled).lastIndexOf(NEWLINE) + 1;
      if (last > 0) {
        const bytes = buffer.subarray(0, last);
        yield { bytes, odd: hasSign(bytes) };
        buffer.copyWithin(0, last, filled);
      }
      held = filled - last;
      if (bytesRead === 0) return;
    }
  } finally {
    await handle.close();
  }
}

function hasSign(bytes: Buffer): boolean {
  return SIGNS.some((sign) => bytes.includes(sign));
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start] ?? NEWLINE;
  return end === start || (first <= 32 && bytes.toString('latin1', start, end).trim() === '');
}

/** A comma before the bracket, or the two brackets, that close the line. */
function endsOddly(bytes: Buffer, end: number): boolean {
  if (bytes[end - 1] !== CLOSING) return false;
  return bytes[end - 2] === COMMA || (bytes[end - 2] === CLOSING && bytes[end - 3] === COMMA);
}
