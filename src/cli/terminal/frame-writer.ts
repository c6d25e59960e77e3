import { stripVTControlCharacters } from 'node:util';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** A terminal that knows it shows what stands between at once; the others pass over it. */
const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';
const CLEAR_TO_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/**
 * Makes the bytes that put one frame in the place of the last one, to be written at once. Each line is painted over the
 * old one and then cleared behind, so that nothing is dark in between.
 */
export class FrameWriter {
  #lines: readonly string[] = [];

  get drawn(): boolean {
    return this.#lines.length > 0;
  }

  /** `columns`: those that the terminal has now; it may have broken the lines of the last frame anew. */
  draw(lines: readonly string[], columns: number): string {
    if (lines.length === 0) return this.erase(columns);
    const text = lines.map((line) => `${line}${CLEAR_TO_LINE_END}\n`).join('');
    const bytes = `${BEGIN_UPDATE}${HIDE_CURSOR}${this.#toTop(columns)}${text}${CLEAR_BELOW}${END_UPDATE}`;
    this.#lines = lines;
    return bytes;
  }

  /** Takes the frame away and gives the cursor back; nothing where none is drawn. */
  erase(columns: number): string {
    if (!this.drawn) return '';
    const bytes = `${this.#toTop(columns)}${CLEAR_BELOW}${SHOW_CURSOR}`;
    this.#lines = [];
    return bytes;
  }

  #toTop(columns: number): string {
    const rows = this.#lines.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    return rows === 0 ? '' : `\r\u001b[${rows}A`;
  }
}

function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(stripVTControlCharacters(line).length / Math.max(1, columns)));
}
