import { readYaml } from '../../config/read-yaml.ts';
import type { LatencyModel } from './latency-model.ts';
import { latencyPlanSchema } from './latency-plan.ts';

/** Reads a latency plan in YAML or JSON. Throws `config_invalid` (exit 2) with `file:line:col` for each problem. */
export function readLatency(source: { readonly text: string; readonly file: string }): LatencyModel {
  return readYaml<LatencyModel>(source, latencyPlanSchema);
}
