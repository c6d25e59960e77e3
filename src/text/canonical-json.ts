/**
 * JSON text that is the same for equal values: keys sorted by UTF-16 units, no blanks, `undefined` properties left out.
 * Throws RangeError on what JSON cannot hold (NaN, Infinity, BigInt, functions), which a hash must not hide.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, held]) => held !== undefined);
    entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
    return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${canonicalJson(held)}`).join(',')}}`;
  }
  throw new RangeError(`canonicalJson: cannot hold ${typeof value} ${String(value)}`);
}
