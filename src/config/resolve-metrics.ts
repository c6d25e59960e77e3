import { absoluteReference } from './credential-reference.ts';
import type { Layers } from './layers.ts';
import type { MetricsFile } from './metrics-schema.ts';
import type { ResolvedMetrics } from './resolved-config.ts';

/** References to files start from the folder of the configuration. */
export function resolveMetrics(
  file: MetricsFile | undefined,
  layers: Layers,
  configFile: string,
): ResolvedMetrics {
  const found = layers.take('metrics', { file }, undefined)?.remote_write;
  if (found === undefined) return { remote_write: null };
  const reference = (text: string | undefined): string | null =>
    text === undefined ? null : absoluteReference(text, configFile);
  return {
    remote_write: {
      url: found.url,
      username: found.username ?? null,
      password: reference(found.password),
      bearer_token: reference(found.bearer_token),
    },
  };
}
