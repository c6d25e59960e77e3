import { hash } from 'node:crypto';

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
