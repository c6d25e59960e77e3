import { LongText } from './json-outline.ts';

/** First code point of a plane that no text uses: placeholders stand from here on. */
const FIRST = 0xf0000;
const MOST = 0xfffd;

/**
 * Writes an outline as JSON for the readers of `core/formats`, with one placeholder for each text that was
 * only
 * counted, and tells from the placeholders that come out as visible how long those texts were.
 */
export class FoldedText {
  readonly #chars: number[] = [];

  jsonOf(value: unknown): string {
    return JSON.stringify(value, (_, member: unknown) => {
      if (!(member instanceof LongText)) return member;
      if (member.chars === 0 || this.#chars.length === MOST) return '';
      this.#chars.push(member.chars);
      return String.fromCodePoint(FIRST + this.#chars.length - 1);
    });
  }

  /** By how many code points a visible text is longer than its placeholders. */
  missing(visible: string): number {
    let missing = 0;
    for (const char of visible) {
      const chars = this.#chars[(char.codePointAt(0) ?? 0) - FIRST];
      if (chars !== undefined) missing += chars - 1;
    }
    return missing;
  }
}
