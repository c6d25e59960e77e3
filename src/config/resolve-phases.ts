import type { ConfigFile } from './config-schema.ts';
import { DEFAULTS } from './defaults.ts';
import { formatDuration, parseDuration } from './duration.ts';
import type { Layers } from './layers.ts';
import type { Problem } from './problem.ts';
import { placeInFile } from './read-yaml.ts';
import type { ResolvedConfig } from './resolved-config.ts';

interface PhaseInputs {
  readonly path: string;
  readonly file: ConfigFile;
  /** In ms, from each layer. */
  readonly duration: Readonly<Record<'flag' | 'env' | 'file', number | undefined>>;
  readonly layers: Layers;
  readonly problems: Problem[];
}

/** Duration, warm-up and cool-down: whoever sets one of them, something must be left to measure. */
export function resolvePhases({
  path,
  file,
  duration,
  layers,
  problems,
}: PhaseInputs): Pick<ResolvedConfig, 'duration_ms' | 'warm_up_ms' | 'cool_down_ms'> {
  const ms = (text: string): number => parseDuration(text) ?? 0;
  const duration_ms = layers.take('duration', duration, ms(DEFAULTS.duration));
  const warm_up_ms = layers.take('warm_up', { file: file.warm_up }, ms(DEFAULTS.warm_up));
  const cool_down_ms = layers.take('cool_down', { file: file.cool_down }, ms(DEFAULTS.cool_down));
  // Where nothing is said, a trace is replayed as long as it is.
  const isOpen = file.trace !== undefined && layers.origins['duration'] === 'default';
  if (!isOpen && warm_up_ms + cool_down_ms >= duration_ms) {
    const rule = `warm_up and cool_down, together ${formatDuration(warm_up_ms + cool_down_ms)}, must be shorter than the duration, ${formatDuration(duration_ms)}`;
    const key = phaseKey(layers.origins);
    problems.push({ at: placeInFile(path, [key]), path: key, rule, found: null, suggestion: null });
  }
  return { duration_ms, warm_up_ms, cool_down_ms };
}

/** That of the two keys which the file has. */
export function phaseKey(origins: ResolvedConfig['origins']): 'warm_up' | 'cool_down' {
  return origins['warm_up'] === 'file' ? 'warm_up' : 'cool_down';
}
