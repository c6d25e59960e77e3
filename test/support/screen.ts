/** A control sequence, or one letter. */
const PART = /\p{Cc}\[(\??)([\d;]*)([A-Za-z])|./gsu;

/** What a terminal would show of what was written to it: as much of one as our frames use; the rest is a fault of theirs. */
export class Screen {
  readonly #columns: number;
  readonly #rows: number;
  #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  /** How often a line was longer than a row. */
  wrapped = 0;
  cursorShown = true;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
  }

  write(bytes: string): void {
    for (const [part, mark, numbers = '', letter] of bytes.matchAll(PART)) {
      if (letter === undefined) this.#letter(part);
      else if (mark === '?') this.#mode(numbers, letter);
      else this.#control(numbers, letter);
    }
  }

  /** Without what stands behind the last letters. */
  text(): string {
    return this.#lines
      .map((line) => line.join('').trimEnd())
      .join('\n')
      .trimEnd();
  }

  #letter(letter: string): void {
    if (letter === '\r') this.#column = 0;
    else if (letter === '\n') this.#down();
    else {
      if (this.#column >= this.#columns) {
        this.wrapped += 1;
        this.#down();
      }
      const line = this.#lines[this.#row] ?? [];
      while (line.length < this.#column) line.push(' ');
      line[this.#column] = letter;
      this.#column += 1;
    }
  }

  /** A terminal's driver adds the carriage return. */
  #down(): void {
    this.#column = 0;
    this.#row += 1;
    if (this.#row === this.#lines.length) this.#lines.push([]);
  }

  #mode(numbers: string, letter: string): void {
    if (numbers === '25') this.cursorShown = letter === 'h';
    else if (numbers !== '2026') throw new Error(`unexpected mode ${numbers}`);
  }

  #control(numbers: string, letter: string): void {
    switch (letter) {
      case 'A':
        // What has left the screen at its top cannot be reached.
        this.#row = Math.max(0, this.#lines.length - this.#rows, this.#row - Number(numbers || '1'));
        return;
      case 'K':
        this.#lines[this.#row] = (this.#lines[this.#row] ?? []).slice(0, this.#column);
        return;
      case 'J':
        this.#control('', 'K');
        this.#lines = this.#lines.slice(0, this.#row + 1);
        return;
      case 'm':
        return;
      default:
        throw new Error(`unexpected control ${letter}`);
    }
  }
}
