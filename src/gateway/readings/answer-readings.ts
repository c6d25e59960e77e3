import * as z from 'zod';

/** Choices of answers that are no usage reads, or of all answers. */
export const answerReadings = {
  request_id: z
    .enum(['headers', 'one_header', 'other_header', 'in_body', 'errors_only', 'nowhere'])
    .default('headers')
    .describe(
      '`headers`: three. `one_header`: `request-id` alone; `other_header`: `x-trace-id`. `in_body`: a success has a field `request_id`, and ids in its stream hold it. `errors_only`: a success tells it nowhere, neither in headers nor in ids. `nowhere`: nor do headers of errors; their message does, as it must.',
    ),
  stream_usage: z
    .enum(['asked', 'always', 'never'])
    .default('asked')
    .describe('When a chat stream reports its usage: if `stream_options` asks for it, always, or never.'),
  stream_usage_place: z
    .enum(['last_chunk', 'finishing_chunk', 'cumulative'])
    .default('last_chunk')
    .describe(
      'The chunk of a chat stream that reports usage: a last one without choices; the finishing one; or every chunk, with the usage so far.',
    ),
  told_reasoning: z
    .enum(['inside', 'beside'])
    .default('inside')
    .describe(
      'Whether the count of output in an answer of chat or responses holds its reasoning. The total holds it either way.',
    ),
  extra_fields: z
    .boolean()
    .default(false)
    .describe('Whether JSON answers and the items of their lists have a field `x_extension`.'),
  clock_offset_s: z
    .int()
    .min(-300)
    .max(300)
    .default(0)
    .describe('Seconds by which the clock of the gateway is wrong, in every date that it gives.'),
  missing: z
    .enum(['nothing', 'usage', 'pricebook', 'account'])
    .default('nothing')
    .describe('The reads that are 404.'),
  account_used: z
    .enum(['settled', 'reserved'])
    .default('settled')
    .describe('Whether `used_quota` of the account includes open reserves.'),
  account_requests: z
    .enum(['accepted', 'settled'])
    .default('accepted')
    .describe('What `request_count` counts: accepted calls, or those that were charged.'),
  account_unit: z
    .enum(['random', 'cents', '500000th'])
    .default('random')
    .describe('The unit of `quota`: one of this gateway alone, a cent, or 1/500,000 USD.'),
  task_words: z
    .enum(['named', 'pending', 'running'])
    .default('named')
    .describe(
      'Words of a task: `queued`, `in_progress`, `completed`, `failed`; `pending`, `processing`, `succeeded`, `failed`; `queued`, `running`, `succeeded`, `expired`.',
    ),
  lists_need_key: z
    .boolean()
    .default(false)
    .describe('Whether the list of models and the price book are 401 without a key.'),
  model_list: z
    .enum(['object', 'no_object', 'bare_array'])
    .default('object')
    .describe('The form of the list of models.'),
};
