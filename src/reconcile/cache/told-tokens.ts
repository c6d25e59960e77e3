import type { CallMatch } from '../match/call-match.ts';

/** Tokens of a call as its answer told them; where it told none, as its record does. The input holds what was cached. */
export interface ToldTokens {
  readonly input: number;
  readonly read: number;
  readonly write: number;
}

/** Null where neither tells: what is not told is not 0. */
export function toldTokens({ call, records }: CallMatch, inputHoldsCache: boolean): ToldTokens | null {
  const usage = call.row?.usage ?? null;
  const record = records[0] ?? null;
  const read = usage?.cache_read ?? numberOf(record?.cache_read);
  const write = usage?.cache_write ?? numberOf(record?.cache_write) ?? 0;
  if (read === null) return null;
  const recorded = numberOf(record?.input);
  const input = usage?.input ?? (recorded === null || inputHoldsCache ? recorded : recorded + read + write);
  return input === null ? null : { input, read, write };
}

function numberOf(count: bigint | null | undefined): number | null {
  return count === null || count === undefined || count < 0n ? null : Number(count);
}
