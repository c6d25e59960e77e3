import * as z from 'zod';
import { servedTier, tokenCount, unixTime } from './plain-values.ts';

const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: z.array(z.never()),
});

const itemId = z.string().regex(/^msg_/);

const messageItem = z.strictObject({
  id: itemId,
  type: z.literal('message'),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  role: z.literal('assistant'),
  content: z.array(outputText),
});

/** Stands before the message, where the model reasons. */
const reasoningItem = z.strictObject({
  id: z.string().regex(/^rs_/),
  type: z.literal('reasoning'),
  summary: z.array(z.never()),
});

/** One search on the side of the server, before the message. */
const searchItem = z.strictObject({
  id: z.string().regex(/^ws_/),
  type: z.literal('web_search_call'),
  status: z.enum(['in_progress', 'completed']),
  action: z.strictObject({ type: z.literal('search'), query: z.string() }),
});

const outputItem = z.discriminatedUnion('type', [messageItem, reasoningItem, searchItem]);

/** The answer of `/v1/responses`; also what its events carry while it is made. */
export const responseObject = z.strictObject({
  id: z.string().regex(/^resp_/),
  object: z.literal('response'),
  created_at: unixTime,
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  model: z.string(),
  output: z.array(outputItem),
  error: z.null(),
  incomplete_details: z.strictObject({ reason: z.literal('max_output_tokens') }).nullable(),
  instructions: z.null(),
  metadata: z.strictObject({}),
  parallel_tool_calls: z.boolean(),
  temperature: z.number(),
  top_p: z.number(),
  tools: z.array(z.never()),
  tool_choice: z.literal('auto'),
  service_tier: servedTier.optional(),
  usage: z
    .strictObject({
      input_tokens: tokenCount,
      input_tokens_details: z.strictObject({ cached_tokens: tokenCount, cache_write_tokens: tokenCount }),
      output_tokens: tokenCount,
      output_tokens_details: z.strictObject({ reasoning_tokens: tokenCount }),
      total_tokens: tokenCount,
    })
    .nullable()
    .describe('Null while in progress'),
});

const sequence_number = z.int().min(0);
const output_index = z.int().min(0);
const at = { item_id: itemId, output_index, content_index: z.literal(0), sequence_number };
const logprobs = z.array(z.never());

/** The JSON of one event; its `event:` line names the same type. */
export const responseStreamEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.enum(['response.created', 'response.in_progress', 'response.completed', 'response.incomplete']),
    response: responseObject,
    sequence_number,
  }),
  z.strictObject({
    type: z.enum(['response.output_item.added', 'response.output_item.done']),
    output_index,
    item: outputItem,
    sequence_number,
  }),
  z.strictObject({
    type: z.enum([
      'response.web_search_call.in_progress',
      'response.web_search_call.searching',
      'response.web_search_call.completed',
    ]),
    output_index,
    item_id: z.string().regex(/^ws_/),
    sequence_number,
  }),
  z.strictObject({
    type: z.enum(['response.content_part.added', 'response.content_part.done']),
    ...at,
    part: outputText,
  }),
  z.strictObject({ type: z.literal('response.output_text.delta'), ...at, delta: z.string(), logprobs }),
  z.strictObject({ type: z.literal('response.output_text.done'), ...at, text: z.string(), logprobs }),
]);
