/** JSON with sorted keys and no blanks: the same text for the same content. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) => {
    if (held === null || typeof held !== 'object' || Array.isArray(held)) return held;
    return Object.fromEntries(Object.entries(held).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
