import { asArray, asObject } from '../../wire/json-fields.ts';

/** Attributes of a span by name; a value of another type counts as absent. */
export interface Attributes {
  text(name: string): string | null;
  /** Of a list, or of the one text. */
  texts(name: string): readonly string[];
  /** A whole number, which OTLP writes as text. */
  count(name: string): number | null;
}

/** Reads OTLP's list of keys and typed values, or a plain object. */
export function attributesOf(value: unknown): Attributes {
  const values = new Map<string, unknown>(
    Array.isArray(value)
      ? value.map(asObject).map((pair) => [String(pair?.['key']), plainOf(pair?.['value'])])
      : [],
  );
  for (const [name, plain] of Object.entries(Array.isArray(value) ? {} : (asObject(value) ?? {})))
    values.set(name, plain);
  const texts = (name: string): readonly string[] => {
    const found = values.get(name);
    return (Array.isArray(found) ? found : [found]).filter(
      (text): text is string => typeof text === 'string' && text !== '',
    );
  };
  return {
    text: (name) => texts(name)[0] ?? null,
    texts,
    count: (name) => countOf(values.get(name)),
  };
}

function plainOf(value: unknown): unknown {
  const typed = asObject(value);
  if (typed === null) return undefined;
  const list = asObject(typed['arrayValue']);
  if (list !== null) return asArray(list['values']).map(plainOf);
  return typed['stringValue'] ?? typed['intValue'] ?? typed['doubleValue'] ?? typed['boolValue'];
}

function countOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
