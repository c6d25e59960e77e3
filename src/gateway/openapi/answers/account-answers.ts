import * as z from 'zod';

/** interface §2, account record. */
export const accountAnswer = z.strictObject({
  success: z.literal(true),
  message: z.literal(''),
  data: z.strictObject({
    id: z.int(),
    username: z.string(),
    display_name: z.string(),
    role: z.int(),
    status: z.int(),
    group: z.string(),
    quota: z.int().describe('Internal units, not USD'),
    used_quota: z.int().describe('Internal units, not USD'),
    request_count: z.int().min(0),
  }),
});
