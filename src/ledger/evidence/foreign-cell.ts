import { jsonOf } from '../../text/json-of.ts';
import { asObject, type JsonObject } from '../../wire/json-fields.ts';
import { type EvidencePlace, evidenceCorrupt } from './evidence-error.ts';
import { shownText } from './shown-text.ts';

/**
 * A whole count as number or text; null where the cell is empty or absent, undefined where it holds
 * something else.
 */
export function countIn(value: unknown): number | null | undefined {
  if (isEmpty(value)) return null;
  const number = typeof value === 'string' && /^\d{1,16}(\.0+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The same, where a cell that holds something else makes the file corrupt. */
export function countAt(value: unknown, name: string, place: EvidencePlace): number | null {
  const found = countIn(value);
  if (found === undefined)
    throw evidenceCorrupt(place, `${name}: expected a whole count, found ${shownText(String(value))}`);
  return found;
}

/** A text that is not empty, or null. */
export function textIn(value: unknown): string | null {
  return typeof value === 'string' && !isEmpty(value) ? value : null;
}

/** An object, also where it stands as JSON in a text or in the cell of a CSV file; {} for none. */
export function objectIn(value: unknown): JsonObject {
  return readObject(value) ?? {};
}

/** True for what is there and is no object: nothing of it can be read. */
export function isUnreadable(value: unknown): boolean {
  return !isEmpty(value) && readObject(value) === null;
}

function readObject(value: unknown): JsonObject | null {
  return asObject(value) ?? asObject(typeof value === 'string' ? jsonOf(value) : null);
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === 'null' || value === 'NULL';
}
