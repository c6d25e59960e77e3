import type { PaidCall } from './paid-call.ts';

/**
 * Whether a call owes a record. `must`: it succeeded. `free`: it was refused or failed as a task, so any charge is
 * wrong. `never`: it did not reach the target. `may`: nothing is certain (interface §7: a 5xx proves nothing).
 */
export type RecordDue = 'must' | 'may' | 'free' | 'never';

const UNREACHED: readonly string[] = ['dns', 'connect_refused', 'tls', 'timeout_connect'];

export function recordDue(call: PaidCall): RecordDue {
  switch (call.outcome) {
    case 'ok':
      return 'must';
    case 'not_sent':
    case 'timeout_connect':
      return 'never';
    case 'net_error':
      return UNREACHED.includes(call.row?.error_type ?? '') ? 'never' : 'may';
    case 'task_failed':
      return 'free';
    case 'http_error':
      return isRejected(call) ? 'free' : 'may';
    default:
      return 'may';
  }
}

export function isRejected(call: PaidCall): boolean {
  const status = call.row?.status ?? null;
  return call.outcome === 'http_error' && status !== null && status >= 400 && status < 500;
}
