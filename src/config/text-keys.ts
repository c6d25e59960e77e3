import * as z from 'zod';
import { recordKeys } from '../core/typed-record.ts';
import { LONGEST_MS } from './duration.ts';
import { optional, share } from './key-schemas.ts';
import { durationSpread, type Range, wholeSpread } from './spread.ts';

/** Sizes that can be asked for; those drawn from a distribution are kept within. */
export const SIZE_RANGES = {
  prompt_tokens: { least: 8, most: 1_000_000 },
  max_tokens: { least: 1, most: 1_000_000 },
  turns: { least: 1, most: 1_000 },
  think_ms: { least: 0, most: LONGEST_MS },
} as const satisfies Record<string, Range>;

const prompts = z
  .strictObject({
    file: z.string().min(1).describe('Path, relative to this file.'),
    order: optional(z.enum(['in_turn', 'random']), 'in_turn: line n for call n, then again from the first.'),
  })
  .describe(
    'Text kinds: your own prompts instead of generated ones: one per line, or NDJSON objects with a "prompt".',
  );

const session = z
  .strictObject({
    turns: wholeSpread('turns', SIZE_RANGES.turns).describe(
      'Calls of a conversation, as a number or a distribution.',
    ),
    think: optional(
      durationSpread,
      'Between the end of an answer and the next turn, as a duration or a distribution.',
    ),
  })
  .describe('Text kinds: each start is a conversation. Each turn carries all earlier turns.');

const modulus = z.int({ error: 'must be a whole number from 2 to 4096' }).min(2).max(4_096);

/** Keys of chat, responses and messages alone. */
export const textKeys = {
  stream: optional(share, 'Text kinds: share of calls that stream.'),
  prompt_tokens: optional(
    wholeSpread('tokens', SIZE_RANGES.prompt_tokens),
    'Text kinds: size of the prompt, about, in tokens: a number or a distribution.',
  ),
  max_tokens: optional(
    wholeSpread('tokens', SIZE_RANGES.max_tokens),
    'Text kinds: most tokens asked for: a number or a distribution.',
  ),
  max_tokens_key: optional(
    z.enum(['auto', 'max_tokens', 'max_completion_tokens']),
    'Chat: name of the output limit in the request. auto: max_tokens, and the other one if a refusal asks for it.',
  ),
  cached_share: optional(
    share,
    'Text kinds: share of the prompt that all calls begin with, so that a cache can match it. At 0 no cache can match.',
  ),
  prompts: prompts.optional(),
  session: session.optional(),
  watermark: z
    .union([modulus, z.strictObject({ modulus: modulus.describe('How many lengths there are, 2 to 4096.') })])
    .optional()
    .describe(
      'Text kinds: pads call n by fewer one-token words than this, so that neighbouring calls differ in their input tokens.',
    ),
};

export const TEXT_KEYS = recordKeys(textKeys);
