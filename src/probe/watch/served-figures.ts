import { type PicoUsd, parseAmount } from '../../core/amount.ts';

/** A figure of totals as served; null where it is missing, malformed, or in another currency than USD. */
export function amountIn(totals: unknown, name: string): PicoUsd | null {
  const text = fieldOf(totals, name);
  return typeof text === 'string' ? parseAmount(text) : null;
}

export function figureCount(totals: unknown, name: string): number | null {
  const count = fieldOf(totals, name);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** Parts of totals, such as `by_model`, by what `key` holds; null where it is no list of them. */
export function partsOf(totals: unknown, list: string, key: string): ReadonlyMap<string, unknown> | null {
  const parts = fieldOf(totals, list);
  if (!Array.isArray(parts)) return null;
  const named = parts.map((part: unknown) => [fieldOf(part, key), part] as const);
  return new Map(named.flatMap(([name, part]) => (typeof name === 'string' ? [[name, part] as const] : [])));
}

/** Silence means USD (interface §2: USD amounts are strings). */
export function isInUsd(totals: unknown): boolean {
  const currency = fieldOf(totals, 'currency');
  return currency === undefined || currency === null || currency === 'USD';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
