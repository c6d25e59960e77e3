/** An API key starts with `sk-` (interface §5); a shorter text, or one inside a word, is a name. */
const KEY = /(?<![A-Za-z0-9-])sk-[A-Za-z0-9_-]{16,}/g;

/** A text without anything that looks like an API key, whoever's it may be. */
export function maskKeys(text: string): string {
  return text.replaceAll(KEY, '***');
}
