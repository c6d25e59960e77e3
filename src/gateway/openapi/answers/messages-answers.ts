import * as z from 'zod';
import { tokenCount } from './plain-values.ts';

const usage = z
  .strictObject({
    input_tokens: tokenCount,
    cache_creation_input_tokens: tokenCount,
    cache_read_input_tokens: tokenCount,
    output_tokens: tokenCount,
    output_tokens_details: z
      .strictObject({ thinking_tokens: tokenCount })
      .optional()
      .describe('Of models that reason; inside the output tokens'),
  })
  .describe('`input_tokens` leaves the cache tokens out');

const stopReason = z.enum(['end_turn', 'max_tokens']);
const textBlock = z.strictObject({ type: z.literal('text'), text: z.string() });

export const messageObject = z.strictObject({
  id: z.string().regex(/^msg_/),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(textBlock).max(1),
  stop_reason: stopReason.nullable().describe('Null while the message is made'),
  stop_sequence: z.null(),
  usage,
});

const index = z.literal(0);

/** The JSON of one event; its `event:` line names the same type. The usage of `message_delta` is cumulative. */
export const messageStreamEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('message_start'), message: messageObject }),
  z.strictObject({ type: z.literal('content_block_start'), index, content_block: textBlock }),
  z.strictObject({ type: z.literal('ping') }),
  z.strictObject({
    type: z.literal('content_block_delta'),
    index,
    delta: z.strictObject({ type: z.literal('text_delta'), text: z.string() }),
  }),
  z.strictObject({ type: z.literal('content_block_stop'), index }),
  z.strictObject({
    type: z.literal('message_delta'),
    delta: z.strictObject({ stop_reason: stopReason, stop_sequence: z.null() }),
    usage,
  }),
  z.strictObject({ type: z.literal('message_stop') }),
]);
