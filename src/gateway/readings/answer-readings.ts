import * as z from 'zod';

/** Choices of answers that are no usage reads, or of all answers. */
export const answerReadings = {
  request_id: z
    .enum(['headers', 'errors_only'])
    .default('headers')
    .describe('`errors_only`: a success tells its request id nowhere, neither in headers nor in ids.'),
  extra_fields: z
    .boolean()
    .default(false)
    .describe('Whether JSON answers and the items of their lists have a field `x_extension`.'),
  missing: z
    .enum(['nothing', 'usage', 'pricebook', 'account'])
    .default('nothing')
    .describe('The reads that are 404.'),
  model_list: z
    .enum(['object', 'no_object', 'bare_array'])
    .default('object')
    .describe('The form of the list of models.'),
};
