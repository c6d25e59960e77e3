const LF = 10;
const CR = 13;
const COLON = 58;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * Tells whether an event stream stopped inside an event. eventsource-parser drops the unfinished rest without a word,
 * so the line structure is followed apart from it.
 */
export class HalfEvent {
  #position = 0;
  #line = 0;
  #comment = false;
  #open = false;
  #afterCr = false;

  feed(chunk: Uint8Array): void {
    for (const byte of chunk) this.#take(byte);
  }

  #take(byte: number): void {
    const afterCr = this.#afterCr;
    this.#afterCr = byte === CR;
    if (byte === LF && afterCr) return;
    if (byte === LF || byte === CR) {
      this.#open = this.#line > 0 && (this.#open || !this.#comment);
      this.#line = 0;
      this.#position = -1;
      return;
    }
    if (this.#line === 0) this.#comment = byte === COLON;
    this.#line += 1;
    this.#skipMark(byte);
  }

  /** The mark is no part of the first line. */
  #skipMark(byte: number): void {
    if (this.#position < 0) return;
    this.#position = byte === BYTE_ORDER_MARK[this.#position] ? this.#position + 1 : -1;
    if (this.#position === BYTE_ORDER_MARK.length) {
      this.#line = 0;
      this.#position = -1;
    }
  }

  /** A field line since the last blank line, or an unfinished line that is no comment. */
  get pending(): boolean {
    return this.#open || (this.#line > 0 && !this.#comment);
  }
}
