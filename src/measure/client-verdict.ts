import type { StateLine } from '../core/ledger-lines.ts';
import type { ClientVerdict, LatencyTable } from '../core/result.ts';
import { roundedMs } from './latency-table.ts';
import { lastStates } from './scenario-counts.ts';

/** Above it, starts were late by our own fault and no latency can be trusted. */
const SCHEDULE_LAG_P99_LIMIT_MS = 50;
const CPU_SHARE_LIMIT = 0.9;

/** Whether the client itself was the bottleneck: late starts, starved of CPU, or losing rows. */
export function clientVerdict(
  states: readonly StateLine[],
  scheduleLag: LatencyTable | null,
  cores: number,
): ClientVerdict {
  const lag = scheduleLag?.p99 ?? null;
  const cpu = states.length === 0 ? null : states.reduce((most, state) => Math.max(most, state.cpu), 0);
  const rowsLost = lastStates(states).reduce((total, state) => total + state.rows_lost, 0);
  const reasons: string[] = [];
  if (states.length === 0) reasons.push('no state line was written: the client’s own load is not known');
  if (lag !== null && lag > SCHEDULE_LAG_P99_LIMIT_MS) {
    reasons.push(`schedule lag p99 ${lag} ms is above ${SCHEDULE_LAG_P99_LIMIT_MS} ms`);
  }
  if (cpu !== null && cpu > CPU_SHARE_LIMIT * cores) {
    reasons.push(`CPU reached ${rounded(cpu)} of ${cores} cores, above ${rounded(CPU_SHARE_LIMIT * cores)}`);
  }
  if (rowsLost > 0) reasons.push(`${rowsLost} rows could not be written`);
  return {
    verdict: reasons.length === 0 ? 'valid' : 'client_limited',
    reasons,
    schedule_lag_p99_ms: lag,
    cpu_max: cpu === null ? null : rounded(cpu),
    gc_ms: states.length === 0 ? null : roundedMs(states.reduce((total, state) => total + state.gc_ms, 0)),
    rows_lost: rowsLost,
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
