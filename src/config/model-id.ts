import * as z from 'zod';

/** The longest model id that the usage filter takes (interface §8). */
export const LONGEST_MODEL_ID = 191;

/** A model id: any characters but control characters, kept exactly as written. */
export const modelId = z
  .string()
  .min(1, { error: 'must not be empty' })
  .refine((id) => [...id].length <= LONGEST_MODEL_ID, {
    error: `must be a model id of at most ${LONGEST_MODEL_ID} characters`,
  })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what the rule is about
  .refine((id) => !/[\u0000-\u001f\u007f]/.test(id), { error: 'must not hold control characters' });
