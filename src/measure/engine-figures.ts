import { MOST_SKEW_SHARE } from '../contracts/client-limits.ts';
import type { EngineResult } from '../contracts/engine-result.ts';
import type { LedgerHeader, StateLine } from '../contracts/ledger-lines.ts';
import { parseInstant } from '../core/time.ts';
import { ascending, latencyTable, roundedMs } from './latency-table.ts';
import { isMeasured, type LogicalCall } from './logical-call.ts';
import { lastStates } from './scenario-counts.ts';
import { unclosedInstances } from './starts-ended.ts';

export interface EngineInput {
  readonly headers: readonly LedgerHeader[];
  readonly states: readonly StateLine[];
  /** The same from the first measured start on. */
  readonly judged: readonly StateLine[];
  readonly calls: readonly LogicalCall[];
}

/** The k6 of a run, as their ledgers name them; empty where one made it alone. */
export function engineFigures({ headers, states, judged, calls }: EngineInput): readonly EngineResult[] {
  const byInstance = new Map(headers.map((header) => [header.instance, header]));
  if (byInstance.size < 2) return [];
  const open = unclosedInstances(calls, states);
  const begins = new Map(
    states.flatMap(({ instance, began_at }) => (began_at === null ? [] : [[instance, began_at] as const])),
  );
  const first = [...begins.values()].reduce(
    (least, at) => Math.min(least, parseInstant(at) ?? least),
    Number.POSITIVE_INFINITY,
  );
  const last = lastStates(states);
  return [...byInstance.values()].map(({ instance, segment, cores }) => {
    const end = last.find((state) => state.instance === instance);
    const began_at = begins.get(instance) ?? null;
    const began = parseInstant(began_at ?? '');
    const own = calls.filter((call) => call.last.instance === instance && call.sent && isMeasured(call));
    const cpu = judged.flatMap((state) => (state.instance === instance ? [state.cpu] : []));
    return {
      instance,
      segment,
      cores,
      began_at,
      skew_ms: began === null ? null : roundedMs(began - first),
      planned: sumOf(end, 'planned'),
      started: sumOf(end, 'started'),
      schedule_lag_p99_ms:
        latencyTable(ascending(own.flatMap((call) => call.scheduleLagMs ?? [])))?.p99 ?? null,
      cpu_max: cpu.length === 0 ? null : roundedMs(Math.max(...cpu)),
      rows_lost: end?.rows_lost ?? 0,
      closed: end !== undefined && !open.includes(instance),
      halted: end?.halted ?? null,
    };
  });
}

function sumOf(state: StateLine | undefined, counter: 'planned' | 'started'): number {
  return (state?.scenarios ?? []).reduce((sum, scenario) => sum + scenario[counter], 0);
}

/** From the first beginning to the last; null where one is not known. */
export function startSkewMs(engines: readonly EngineResult[]): number | null {
  const skews = engines.flatMap(({ skew_ms }) => skew_ms ?? []);
  return engines.length === 0 || skews.length < engines.length ? null : Math.max(...skews);
}

/** Why engines that began apart are no measure of the load that was planned; null where they are. */
export function skewReason(skewMs: number | null, plannedMs: number): string | null {
  if (skewMs === null || skewMs <= MOST_SKEW_SHARE * plannedMs) return null;
  return `start skew ${skewMs} ms is above ${MOST_SKEW_SHARE * 100} % of the ${plannedMs / 1000} s in which calls are started`;
}
