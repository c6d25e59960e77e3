import * as z from 'zod';
import { readYaml } from '../../config/read-yaml.ts';
import { type Readings, readingsSchema } from './readings.ts';

/** Reads a readings file in YAML or JSON. Throws `config_invalid` (exit 2) with `file:line:col` for each problem. */
export function readReadings(source: { readonly text: string; readonly file: string }): Readings {
  return readYaml<Readings>(source, readingsSchema);
}

/** The JSON Schema of a readings file; `readings.schema.json` is its text, for editors and other tools. */
export function readingsJsonSchema(): object {
  return { title: 'Weighbridge gateway readings', ...z.toJSONSchema(readingsSchema, { io: 'input' }) };
}
