/** Names that others choose freely are kept up to here. */
const MOST_CHARS = 191;

/** A name as ids, models and codes are; null for what reads like a sentence, or is longer. */
export function plainName(text: unknown, most = MOST_CHARS): string | null {
  if (typeof text !== 'string' || text.length > most) return null;
  return /^[\x21-\x7e]+$/.test(text) ? text : null;
}
