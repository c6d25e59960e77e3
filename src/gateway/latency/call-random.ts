import { createHash } from 'node:crypto';
import { MARKER_PATTERN } from '../../core/marker.ts';
import { type SeededRandom, seededRandom } from '../../core/seeded-random.ts';

/** What names a call in seeded draws. Without its marker a planned call has the same prompt in every run. */
export function callSeed(
  seed: number,
  endpoint: string,
  model: string,
  prompt: string,
): readonly (string | number)[] {
  const digest = createHash('sha256').update(prompt.replace(MARKER_PATTERN, '')).digest('hex');
  return [seed, endpoint, model, digest];
}

export function callRandom(seed: number, endpoint: string, model: string, prompt: string): SeededRandom {
  return seededRandom('latency', ...callSeed(seed, endpoint, model, prompt));
}
