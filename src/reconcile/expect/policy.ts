import type { PicoUsd } from '../../core/amount.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { isServerError } from '../records/server-error.ts';
import type { JudgeContext } from './judge-context.ts';

/** Why nothing is due for a call for which something could be. */
export type FreeReason = 'server_error' | 'empty_output' | 'aborted';

const TOOL_ENDINGS: readonly string[] = ['tool_calls', 'tool_use', 'function_call'];
/** Our own limit ended it, before any text where the model reasons unseen: that is no fault of the target. */
const LIMIT_ENDINGS: readonly string[] = ['length', 'max_tokens'];

/** A proper ending without any output: no text, no tool call, no reasoning that was told of. */
export function isEmptyAnswer({ text, outcome, row }: PaidCall): boolean {
  if (!text || outcome !== 'ok' || row === null || row.out_chars !== 0) return false;
  const isOurs = [...TOOL_ENDINGS, ...LIMIT_ENDINGS].includes(row.finish ?? '');
  return !isOurs && (row.usage?.reasoning ?? 0) === 0;
}

/** Some output reached the client. */
export function sawOutput({ row }: PaidCall): boolean {
  return (row?.out_chars ?? 0) > 0 || (row?.ttft_ms ?? null) !== null;
}

/** Ended before its proper end, after the target took it. */
export function wasCut({ text, outcome }: PaidCall): boolean {
  return text && outcome !== 'ok' && outcome !== 'http_error';
}

/** What the declared terms say of a call; null where the interface alone counts. */
export function freeReason(context: JudgeContext, call: PaidCall): FreeReason | null {
  const { policy } = context.terms;
  if (policy.server_error === 'free' && isServerError(call)) return 'server_error';
  if (policy.empty_output === 'free' && isEmptyAnswer(call)) return 'empty_output';
  return policy.aborted === 'free' && wasCut(call) ? 'aborted' : null;
}

interface Bounds {
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
  readonly zero_allowed: boolean;
  readonly point: PicoUsd | null;
}

/**
 * The bounds of a charge as far as the terms change them: an empty answer may be charged or not unless they say which,
 * and a cut one that is charged for what was delivered may not be free.
 */
export function underPolicy<Of extends Bounds>(context: JudgeContext, call: PaidCall, expected: Of): Of {
  const { policy } = context.terms;
  if (isEmptyAnswer(call) && policy.empty_output === 'unsaid') {
    return { ...expected, zero_allowed: true, point: null };
  }
  if (policy.aborted === 'charged' && wasCut(call) && sawOutput(call)) {
    return { ...expected, zero_allowed: false };
  }
  if (policy.server_error === 'charged' && isServerError(call)) return { ...expected, zero_allowed: false };
  return expected;
}
