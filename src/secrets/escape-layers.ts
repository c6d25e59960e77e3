import { ESCAPE_PATTERN, HTML_NAMES } from './secret-forms.ts';

const ESCAPES = new RegExp(ESCAPE_PATTERN, 'g');
const HAS_ESCAPE = /[\\%&]/;

/** The text with one layer of its escapes taken off. */
export function withoutEscapes(text: string): string {
  return HAS_ESCAPE.test(text) ? text.replace(ESCAPES, meaningOf) : text;
}

/** Where places of `withoutEscapes(text)` are in the text; both ascend. Backslashes that stand for nothing are behind theirs. */
export function placesBefore(text: string, places: readonly number[]): number[] {
  const before: number[] = [];
  let [read, written, next] = [0, 0, 0];
  const upTo = (end: number): void => {
    for (; next < places.length && (places[next] ?? 0) <= written + end - read; next += 1)
      before.push(read + (places[next] ?? 0) - written);
    written += end - read;
    read = end;
  };
  for (const match of text.matchAll(ESCAPES)) {
    upTo(match.index);
    const [whole, ...groups] = match;
    written += meaningOf(whole, ...groups).length;
    read += whole.length;
  }
  upTo(text.length);
  return before;
}

type Group = string | undefined;

/** The one character that an escape stands for, nothing for one that stands for none, itself for a name that is none. */
function meaningOf(whole: string, ...groups: readonly Group[]): string {
  const [point, braced, byte, percent, entity, decimal, name] = groups;
  const hex = point ?? braced ?? byte ?? percent ?? entity;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (name !== undefined) return HTML_NAMES[name.toLowerCase()] ?? whole;
  if (decimal === undefined) return '';
  const code = Number(decimal);
  return code < 0x80 ? String.fromCharCode(code) : whole;
}
