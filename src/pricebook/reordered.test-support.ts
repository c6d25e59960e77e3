/** The same document with every list of mappings, and every mapping, in the other order; a range stays as it is. */
export function reordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const held = value.map(reordered);
    return held.every((one) => typeof one === 'object') ? held.reverse() : held;
  }
  const entries = Object.entries(value).map(([key, held]) => [key, reordered(held)] as const);
  return Object.fromEntries(entries.reverse());
}
