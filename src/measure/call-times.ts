import type { LogicalCall } from './logical-call.ts';

/** The times of one ok call, ms; null where the call has no such time. */
export interface CallTimes {
  readonly ttft: number | null;
  readonly ttfo: number | null;
  readonly tpot: number | null;
  readonly e2e: number;
  /** From the planned start: what a user of a busy system waits. */
  readonly e2ePlanned: number | null;
}

/**
 * TTFT and what follows from it exist only for streams: a plain answer shows its first token with its last. All but TPOT
 * count from the first attempt: who waits for the answer waits for the attempts before it, too.
 */
export function callTimes(call: LogicalCall): CallTimes {
  const { last } = call;
  const ttft = last.stream ? last.ttft_ms : null;
  const output = last.usage?.output ?? null;
  const before = call.attempts.length === 1 ? 0 : call.endedAt - last.end_ms - call.startedAt;
  const e2e = before + last.end_ms;
  return {
    ttft: ttft === null ? null : before + ttft,
    ttfo: last.stream && last.ttfo_ms !== null ? before + last.ttfo_ms : null,
    tpot: ttft === null || output === null || output <= 1 ? null : (last.end_ms - ttft) / (output - 1),
    e2e,
    e2ePlanned: call.scheduleLagMs === null ? null : call.scheduleLagMs + e2e,
  };
}
