import { Buffer } from 'node:buffer';

/** Whether an answer, or a body, is a JSON object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !Buffer.isBuffer(value);
}
