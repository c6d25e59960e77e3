import { readYaml } from '../../config/read-yaml.ts';
import { type Readings, readingsSchema } from './readings.ts';

/** Reads a readings file in YAML or JSON. Throws `config_invalid` (exit 2) with `file:line:col` for each problem. */
export function readReadings(source: { readonly text: string; readonly file: string }): Readings {
  return readYaml<Readings>(source, readingsSchema);
}
