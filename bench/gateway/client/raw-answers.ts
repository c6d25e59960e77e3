import type { Buffer } from 'node:buffer';

const HEAD_END = '\r\n\r\n';

/**
 * Finds the end of each response on a keep-alive connection with as little work as possible: the client shares the
 * machine with what it measures. Answers must have a content-length or end with an empty chunk.
 */
export class RawAnswers {
  #head = '';
  /** Bytes of the body that are still to come; null while the head is read, infinite for a chunked body. */
  #left: number | null = null;
  #tail = '';
  readonly #ended: (status: number) => void;
  #status = 0;

  constructor(ended: (status: number) => void) {
    this.#ended = ended;
  }

  read(bytes: Buffer): void {
    if (this.#left === null) {
      this.#head += bytes.toString('latin1');
      const at = this.#head.indexOf(HEAD_END);
      if (at < 0) return;
      const head = this.#head.slice(0, at).toLowerCase();
      const body = this.#head.slice(at + HEAD_END.length);
      this.#head = '';
      this.#status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
      this.#left = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
      this.#body(body.length, body);
      return;
    }
    this.#body(bytes.length, bytes.toString('latin1', Math.max(0, bytes.length - 5)));
  }

  #body(length: number, text: string): void {
    if (this.#left === null) return;
    this.#left -= length;
    this.#tail = (this.#tail + text).slice(-5);
    if (this.#left > 0 && !(this.#left === Number.POSITIVE_INFINITY && this.#tail === '0\r\n\r\n')) return;
    this.#left = null;
    this.#tail = '';
    this.#ended(this.#status);
  }
}
