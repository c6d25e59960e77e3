import * as z from 'zod';
import { readingsSchema } from './readings.ts';

/** The JSON Schema of a readings file; `readings.schema.json` is its text, for editors and other tools. */
export function readingsJsonSchema(): object {
  return { title: 'Weighbridge gateway readings', ...z.toJSONSchema(readingsSchema, { io: 'input' }) };
}
