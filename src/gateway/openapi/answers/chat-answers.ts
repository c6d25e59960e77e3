import * as z from 'zod';
import { servedTier, tokenCount, unixTime } from './plain-values.ts';

const usage = z.strictObject({
  prompt_tokens: tokenCount,
  completion_tokens: tokenCount,
  total_tokens: tokenCount,
  prompt_tokens_details: z.strictObject({ cached_tokens: tokenCount, cache_write_tokens: tokenCount }),
  completion_tokens_details: z.strictObject({ reasoning_tokens: tokenCount }),
});

const finishReason = z.enum(['stop', 'length']);
const head = {
  id: z.string().regex(/^chatcmpl-/),
  created: unixTime,
  model: z.string(),
  service_tier: servedTier.optional(),
};

export const chatCompletion = z.strictObject({
  ...head,
  object: z.literal('chat.completion'),
  choices: z
    .array(
      z.strictObject({
        index: z.literal(0),
        message: z.strictObject({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
        logprobs: z.null(),
        finish_reason: finishReason,
      }),
    )
    .length(1),
  usage,
});

/** The JSON of one `data:` event; the stream ends with `data: [DONE]`. */
export const chatCompletionChunk = z.strictObject({
  ...head,
  object: z.literal('chat.completion.chunk'),
  choices: z
    .array(
      z.strictObject({
        index: z.literal(0),
        delta: z.strictObject({ role: z.literal('assistant').optional(), content: z.string().optional() }),
        logprobs: z.null(),
        finish_reason: finishReason.nullable(),
      }),
    )
    .max(1)
    .describe('Empty in the chunk that carries the usage'),
  usage: usage.optional(),
});
