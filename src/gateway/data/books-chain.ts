import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { readSync } from 'node:fs';

const LINK_DIGITS = 16;
const LINK_LENGTH = ',"chain":""}'.length + LINK_DIGITS;

/**
 * Ties each line of the books to all before it: a line that was changed, lost, doubled or moved is noticed at the line
 * where it shows. It guards against accidents and careless edits, not against somebody who makes the links anew.
 */
export class BooksChain {
  #last = '';

  /** The JSON text of a line with its link; the next one goes on from it. */
  sealed(text: string): string {
    this.#last = this.#linkOf(text);
    return `${text.slice(0, -1)},"chain":"${this.#last}"}`;
  }

  /** The text of a line without its link. Throws RangeError where it does not go on from the lines before. */
  opened(line: string): string {
    const text = `${line.slice(0, -LINK_LENGTH)}}`;
    const expected = this.sealed(text);
    if (line !== expected) {
      throw new RangeError(
        `an end other than ${expected.slice(-LINK_LENGTH)}: this line or one before it was changed, lost or moved`,
      );
    }
    return text;
  }

  #linkOf(text: string): string {
    return hash('sha256', this.#last + text).slice(0, LINK_DIGITS);
  }
}

const READ_BYTES = 1 << 20;
const LINE_END = 10;

interface NumberedLine {
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
