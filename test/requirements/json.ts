/** Any JSON value, as a test reads or changes it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [name: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, or undefined where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The value at a path of names and indexes, or undefined. */
export function valueAt(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isObject(found)) found = found[step];
    else return undefined;
  }
  return found;
}

/** The objects in a list, or in an object that stands where a list is due. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((item): item is JsonObject => isObject(item));
}
