import { Buffer } from 'node:buffer';
import * as z from 'zod';
import type { SeededRandom } from '../../core/seeded-random.ts';
import { modelField } from './message-schema.ts';

const DEFAULT_DIMENSIONS = 256;
const MOST_DIMENSIONS = 4096;
const MOST_INPUTS = 2048;
const INPUT =
  'expected a string, an array of strings, an array of tokens or an array of such arrays, none empty';

const text = z.string().min(1);
const tokens = z.array(z.int().min(0)).min(1);

export const embeddingRequest = z.looseObject({
  model: modelField,
  input: z
    .union(
      [
        text.transform((one) => [one]),
        tokens.transform((one) => [one]),
        z.array(text).min(1).max(MOST_INPUTS),
        z.array(tokens).min(1).max(MOST_INPUTS),
      ],
      { error: INPUT },
    )
    .transform((inputs): readonly (string | readonly number[])[] => inputs),
  dimensions: z.int().min(1).max(MOST_DIMENSIONS).default(DEFAULT_DIMENSIONS),
  encoding_format: z.enum(['float', 'base64']).default('float'),
});

/** A vector of length 1, as a client that compares by the dot product takes it. */
export function drawVector(dimensions: number, random: SeededRandom): Float32Array {
  const drawn = Float32Array.from({ length: dimensions }, () => random.below(2_000_001) - 1_000_000);
  const length = Math.hypot(...drawn);
  return length === 0 ? drawn : drawn.map((value) => value / length);
}

/** The vector as OpenAI's API encodes it: numbers, or the bytes of little-endian float32. */
export function encodeVector(vector: Float32Array, encoding: 'float' | 'base64'): readonly number[] | string {
  if (encoding === 'float') return [...vector];
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
