import type { PaidCall } from './paid-call.ts';

/** Answered with a 5xx, without a token of output. */
export function isServerError({ outcome, row }: PaidCall): boolean {
  return outcome === 'http_error' && (row?.status ?? 0) >= 500;
}
