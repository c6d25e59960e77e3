/** Paths of interface §4 on which a call may be charged. */
export const PAID_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1/images/generations',
  '/v1/images/generations/jobs',
  '/v1/images/edits',
  '/v1/images/edits/jobs',
  '/v1/videos',
  '/v1/videos/generations',
] as const;
export type PaidEndpoint = (typeof PAID_ENDPOINTS)[number];
