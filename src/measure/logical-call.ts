import type { CallRow } from '../contracts/ledger-lines.ts';
import { isPaidKind } from '../core/call-kind.ts';
import { parseInstant } from '../core/time.ts';

/** One start of a scenario with its fallbacks: an unsupported job route followed by the synchronous one is one call. */
export interface LogicalCall {
  readonly scenario: string;
  /** The attempt that decided the outcome. */
  readonly last: CallRow;
  /** All paid attempts, in order. */
  readonly attempts: readonly CallRow[];
  /** Epoch ms of the first attempt's start, and of the last one's end. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Actual minus planned start; null without a planned time. */
  readonly scheduleLagMs: number | null;
  /** False where nothing went out (spend cap, halted). */
  readonly sent: boolean;
  /** Sent, and not ended by us: the calls that the target could have made good. */
  readonly judged: boolean;
}

/** Groups paid rows by logical call. Free rows (poll, result, download, read) belong to no call of their own. */
export function logicalCalls(rows: Iterable<CallRow>): readonly LogicalCall[] {
  const groups = new Map<string, CallRow[]>();
  for (const row of rows) {
    if (!isPaidKind(row.kind)) continue;
    const key = `${row.instance}\u0000${row.logical_id}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const calls = [...groups.values()].flatMap((attempts) => logicalCall(attempts) ?? []);
  return calls.sort((left, right) => left.startedAt - right.startedAt || compare(left.last, right.last));
}

/** Warm-up and cool-down stay out of every figure. */
export function isMeasured(call: LogicalCall): boolean {
  return call.last.phase === 'measured';
}

/** A turn after the first of a session is no start of its own. */
export function isStart(call: LogicalCall): boolean {
  return call.last.turn === null || call.last.turn === 1;
}

function logicalCall(rows: readonly CallRow[]): LogicalCall | null {
  const attempts = rows.toSorted((left, right) => left.attempt - right.attempt);
  const sentRows = attempts.filter((row) => row.outcome !== 'not_sent');
  const [first] = attempts;
  const last = (sentRows.length > 0 ? sentRows : attempts).at(-1);
  if (first === undefined || last === undefined) return null;
  const startedAt = startOf(first);
  return {
    scenario: first.scenario,
    last,
    attempts,
    startedAt,
    endedAt: startOf(last) + last.end_ms,
    scheduleLagMs: first.schedule_lag_ms,
    sent: sentRows.length > 0,
    judged: sentRows.length > 0 && last.outcome !== 'aborted' && last.outcome !== 'interrupted',
  };
}

function startOf(row: CallRow): number {
  return parseInstant(row.started_at) ?? Number.NaN;
}

function compare(left: CallRow, right: CallRow): number {
  return left.call_id < right.call_id ? -1 : left.call_id > right.call_id ? 1 : 0;
}
