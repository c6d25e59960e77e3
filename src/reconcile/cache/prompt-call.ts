import type { PromptPrefix } from '../../contracts/ledger-lines.ts';
import type { PaidCall } from '../records/paid-call.ts';

/** A text call whose row tells how its prompt begins. */
export interface PromptCall {
  readonly call: PaidCall;
  /** The shortest first, at least one. */
  readonly prefixes: readonly PromptPrefix[];
  /** When its answer began: its prompt had been read by then. Null where none is known to have begun. */
  readonly answered_ms: number | null;
}

/** The calls of which a cache may tell, by their start. */
export function promptCalls(calls: readonly PaidCall[]): readonly PromptCall[] {
  return calls.flatMap((call) => {
    const prefixes = call.row?.prefixes ?? [];
    return prefixes.length === 0 ? [] : [{ call, prefixes, answered_ms: answeredMs(call) }];
  });
}

/** A refusal, or no answer at all, does not show that the prompt was read. */
function answeredMs({ row, outcome, started_ms }: PaidCall): number | null {
  if (row === null || outcome === 'http_error') return null;
  const began =
    row.ttft_ms ?? row.first_event_ms ?? (outcome === 'ok' ? (row.headers_ms ?? row.end_ms) : null);
  return began === null ? null : started_ms + began;
}

/** Names a beginning where it can be held: a cache is kept for each key and model. */
export function prefixName({ row, model }: PaidCall, { bytes, digest }: PromptPrefix): string {
  return `${row?.key_fp ?? ''} ${model} ${bytes} ${digest}`;
}
