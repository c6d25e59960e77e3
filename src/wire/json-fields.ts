/**
 * Readers of foreign JSON. A member of an unexpected type is absent: it neither counts nor breaks anything, because
 * what the target sends is data. The Go side (xk6/wire) has the same rules and the same test corpus.
 */
import { hasSurrogates } from '../text/code-points.ts';
import { jsonOf } from '../text/json-of.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The one JSON object that the text is, or null. */
export function parseObject(text: string): JsonObject | null {
  return asObject(jsonOf(text));
}

export function asObject(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A string with each lone surrogate replaced by U+FFFD, so that it hashes alike everywhere; '' when it is none. */
export function asText(value: unknown): string {
  if (typeof value !== 'string') return '';
  return hasSurrogates(value) ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : value;
}

/** As asText, with null for none or empty. */
export function asName(value: unknown): string | null {
  return asText(value) || null;
}

/** A whole number within ±(2^53-1), the integers that every JSON reader agrees on; anything else is null. */
export function asInteger(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value + 0 : null;
}
