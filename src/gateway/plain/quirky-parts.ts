import type { LatencyModel } from '../latency/latency-model.ts';
import type { Readings } from '../readings/readings.ts';
import type { Quirks } from './quirks.ts';

/** The readings with those that a quirk stands for. */
export function quirkyReadings(given: Readings, { flags }: Quirks): Readings {
  const told = flags.has('no-usage') ? 'never' : flags.has('usage-always') ? 'always' : given.stream_usage;
  return {
    ...given,
    stream_usage: told,
    model_list: flags.has('models-array') ? 'bare_array' : given.model_list,
  };
}

/** The times with a first token as late as the quirk says. */
export function quirkyLatency(given: LatencyModel, quirks: Quirks | null): LatencyModel {
  const ms = quirks?.values.get('slow-first-token');
  return ms === undefined ? given : { ...given, ttft: { kind: 'fixed', ms: Number(ms) } };
}
