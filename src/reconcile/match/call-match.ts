import type { MatchPass } from '../../contracts/match-pass.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';

/** A call, the records of its request, and what brought them together. */
export interface CallMatch {
  readonly call: PaidCall;
  readonly records: readonly ServedRecord[];
  readonly pass: MatchPass;
  /** 1 for an id, else the share of pairings under which it would be the same, 0 to 1. */
  readonly score: number;
  readonly why: string;
}

/** What one pass brought together, and what it left. */
export interface PassResult {
  readonly matches: readonly CallMatch[];
  readonly calls: readonly PaidCall[];
  readonly records: readonly ServedRecord[];
}

/** Takes what was matched away from what was tried. */
export function passResult(
  matches: readonly CallMatch[],
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
): PassResult {
  const matchedCalls = new Set(matches.map(({ call }) => call));
  const matchedRecords = new Set(matches.flatMap((match) => match.records));
  return {
    matches,
    calls: calls.filter((call) => !matchedCalls.has(call)),
    records: records.filter((record) => !matchedRecords.has(record)),
  };
}
