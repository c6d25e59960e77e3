import type { PaidKind } from '../core/call-kind.ts';
import { callTimes } from './call-times.ts';
import type { LogicalCall } from './logical-call.ts';
import { type TimeHistogram, timeHistogram } from './time-histogram.ts';

/** How the times of one kind lie, of ok calls of the measured phase; null where there is none. */
export interface TimeDistributions {
  readonly kind: PaidKind;
  readonly ttft: TimeHistogram | null;
  /** Over the pooled gaps between content events. */
  readonly itl: TimeHistogram | null;
  readonly e2e: TimeHistogram | null;
}

export function timeDistributions(kind: PaidKind, calls: readonly LogicalCall[]): TimeDistributions {
  const ok = calls.filter((call) => call.last.outcome === 'ok');
  const times = ok.map(callTimes);
  const once = (values: readonly (number | null)[]) =>
    timeHistogram(values.flatMap((value): [number, number][] => (value === null ? [] : [[value, 1]])));
  return {
    kind,
    ttft: once(times.map(({ ttft }) => ttft)),
    itl: timeHistogram(ok.flatMap(({ last }) => last.itl ?? [])),
    e2e: once(times.map(({ e2e }) => e2e)),
  };
}
