/** The keys of a record in its order, by the names of its type: `Object.keys` knows them as plain text. */
export function recordKeys<K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] {
  const keys: K[] = [];
  for (const key in record) keys.push(key);
  return keys;
}

/** The record with what `of` makes of each value. The two signatures say what makes a computed key of the type's own. */
export function mapRecord<K extends string, V, W>(
  record: Readonly<Record<K, V>>,
  of: (value: V, key: K) => W,
): Readonly<Record<K, W>>;
export function mapRecord<V, W>(
  record: Readonly<Record<string, V>>,
  of: (value: V, key: string) => W,
): Readonly<Record<string, W>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, of(value, key)]));
}

/** What an object has under these keys, and nothing else. */
export function picked<T extends object, K extends string & keyof T>(from: T, keys: readonly K[]): Pick<T, K>;
export function picked(from: object, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keys.map((key) => [key, Reflect.get(from, key)]));
}
