import { Buffer } from 'node:buffer';
import { readSync } from 'node:fs';

const READ_BYTES = 1 << 20;
const LINE_END = 10;

export interface NumberedLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  /** Offset of the byte behind its line end. */
  readonly end: number;
}

/** The complete lines of a file of any size; what follows the last line end is none. */
export function* readLines(file: number): Generator<NumberedLine, undefined> {
  const bytes = Buffer.alloc(READ_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let position = 0;
  let end = 0;
  let number = 0;
  for (;;) {
    const count = readSync(file, bytes, 0, READ_BYTES, position);
    if (count === 0) return undefined;
    position += count;
    const held = Buffer.concat([rest, bytes.subarray(0, count)]);
    let from = 0;
    for (let at = held.indexOf(LINE_END); at !== -1; at = held.indexOf(LINE_END, from)) {
      number += 1;
      end += at + 1 - from;
      yield { number, text: held.toString('utf8', from, at), end };
      from = at + 1;
    }
    rest = held.subarray(from);
  }
}
