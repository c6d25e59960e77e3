/** A field that nobody has named, as any object of an answer may have one more. */
const EXTRA = { x_extension: { revision: 1, note: 'not part of the interface' } };

/** Lists of objects in answers whose items get the field too. */
const LISTS = ['data', 'by_model', 'daily', 'models', 'choices', 'output', 'content'];

/** The answer and the items of its lists, each with a field more. */
export function withExtraFields(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const lists = Object.entries(answer).map(([name, value]) => [
    name,
    LISTS.includes(name) && Array.isArray(value) ? value.map(extended) : value,
  ]);
  return { ...Object.fromEntries(lists), ...EXTRA };
}

function extended(item: unknown): unknown {
  return item !== null && typeof item === 'object' && !Array.isArray(item) ? { ...item, ...EXTRA } : item;
}
