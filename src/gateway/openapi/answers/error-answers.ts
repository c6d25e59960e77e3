import * as z from 'zod';

/** interface §7: English text that ends with the request id. */
const message = z.string().regex(/ \(request id: [0-9a-z]{28}\)$/);

const reason = {
  message,
  type: z.enum(['new_api_error', 'invalid_request_error']),
  code: z.string().describe('A named reason, or empty. Clients match on it and the HTTP status.'),
};

/** The error object of model calls (interface §7). */
export const modelError = z.strictObject({
  error: z.strictObject({ ...reason, param: z.literal('') }),
});

/** The same with what messages-style SDKs look for around it. */
export const messagesError = z.strictObject({
  type: z.literal('error'),
  error: z.strictObject(reason),
  request_id: z.string(),
});

export const accountError = z.strictObject({ success: z.literal(false), message });
