import { open } from 'node:fs/promises';
import type { LinePart, PlacedLine } from './line-part.ts';

/** A line of one of several files. */
export interface PickedLine extends PlacedLine {
  readonly file: string;
  /** False for a line that is here only because JSON.parse may refuse what DuckDB took. */
  readonly wanted: boolean;
}

/** What the count of lines tells besides. */
export interface LineMarks {
  /** Every so many lines, where one begins; `number` is that of the line in its file, from 1. */
  mark(place: number, number: number, at: number): void;
  /** The part has so many lines, so many of them not empty. */
  ended(part: LinePart, lines: number, rows: number): void;
}

/** Lines between two marks: some hundred kilobytes, read in a millisecond. */
const MARK_LINES = 256;

const CHUNK = 4_194_304;
const [NEWLINE, COMMA, CLOSING] = [10, 44, 125];
/** White space and numbers that only DuckDB takes. */
const SIGNS: readonly (string | number)[] = ['NaN', 'Inf', 11, 12];

/**
 * The lines that stand at `places` (ascending), found by counting ends of lines, and besides those that hold what only
 * DuckDB takes for JSON: a comma before their end, NaN, Infinity, a vertical tab, a form feed.
 */
export async function* pickLines(
  parts: readonly LinePart[],
  places: readonly number[],
  marks: LineMarks | null = null,
): AsyncGenerator<PickedLine, void, undefined> {
  let next = 0;
  for (const part of parts) {
    const { file } = part;
    let { place, lines: number } = part;
    let rows = 0;
    for await (const { bytes, odd, at } of wholeLines(part)) {
      let start = 0;
      while (start < bytes.length) {
        const newline = bytes.indexOf(NEWLINE, start);
        const end = newline === -1 ? bytes.length : newline;
        number += 1;
        if (!isBlank(bytes, start, end)) {
          if (marks !== null && rows % MARK_LINES === 0) marks.mark(place, number, at + start);
          while ((places[next] ?? place) < place) next += 1;
          const wanted = place === places[next];
          if (wanted) next += 1;
          if (wanted || endsOddly(bytes, end) || (odd && hasSign(bytes.subarray(start, end)))) {
            yield { file, number, place, text: bytes.toString('utf8', start, end), wanted };
          }
          rows += 1;
          place += 1;
        }
        start = end + 1;
      }
    }
    marks?.ended(part, number - part.lines, rows);
  }
}

/** A part of a file in pieces that end with a line; `odd` where a piece holds one of the signs; `at`: in its file. */
async function* wholeLines(
  part: LinePart,
): AsyncGenerator<{ readonly bytes: Buffer; readonly odd: boolean; readonly at: number }, void> {
  const handle = await open(part.path);
  try {
    let buffer = Buffer.allocUnsafe(CHUNK);
    let held = 0;
    let { at } = part;
    while (true) {
      if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(CHUNK)]);
      const { bytesRead } = await handle.read(buffer, held, buffer.length - held);
      const filled = held + bytesRead;
      const last = bytesRead === 0 ? filled : buffer.subarray(0, filled).lastIndexOf(NEWLINE) + 1;
      if (last > 0) {
        const bytes = buffer.subarray(0, last);
        yield { bytes, odd: hasSign(bytes), at };
        buffer.copyWithin(0, last, filled);
      }
      at += last;
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
