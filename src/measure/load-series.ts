import { PAID_KINDS, type PaidKind } from '../core/call-kind.ts';
import { callTimes } from './call-times.ts';
import { ascending, percentile } from './latency-table.ts';
import type { LogicalCall } from './logical-call.ts';

/** What happened over time, in equal buckets from the zero of the schedule on. */
export interface LoadSeries {
  readonly bucket_s: number;
  /** RFC 3339, the beginning of the first bucket; null where nothing started. */
  readonly start: string | null;
  readonly kinds: readonly KindSeries[];
}

/** Columns of one length; times in ms, null where no call of the bucket has one. */
export interface KindSeries {
  readonly kind: PaidKind;
  /** Calls by the bucket of their start. */
  readonly started: readonly number[];
  /** Calls by the bucket of their end. `errors`: not ok, and not ended by us. */
  readonly ok: readonly number[];
  readonly errors: readonly number[];
  /** Of ok calls, by the bucket of their end. */
  readonly ttft_p50: readonly (number | null)[];
  readonly ttft_p95: readonly (number | null)[];
  readonly e2e_p50: readonly (number | null)[];
  readonly e2e_p95: readonly (number | null)[];
  /** Calls under way at the end of the bucket. */
  readonly in_flight: readonly number[];
}

const MOST_POINTS = 600;
const WIDTHS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600] as const;

/**
 * `zero`: when the schedule began, epoch ms. `kindOf` names the kind under which a call is planned, which a fallback does
 * not change.
 */
export function loadSeries(
  calls: readonly LogicalCall[],
  zero: number | null,
  kindOf: (call: LogicalCall) => PaidKind | null,
): LoadSeries {
  const sent = calls.filter((call) => call.sent && Number.isFinite(call.startedAt));
  const first = sent.reduce((least, call) => Math.min(least, call.startedAt), Number.POSITIVE_INFINITY);
  const start = Math.min(first, zero ?? first);
  const end = sent.reduce((most, call) => Math.max(most, call.endedAt), start);
  if (!Number.isFinite(first)) return { bucket_s: 1, start: null, kinds: [] };
  const width = bucketSeconds((end - start) / 1000);
  const length = Math.floor((end - start) / 1000 / width) + 1;
  const bucketOf = (at: number) => Math.floor((at - start) / 1000 / width);
  const kinds = PAID_KINDS.flatMap((kind) => {
    const ofKind = sent.filter((call) => kindOf(call) === kind);
    return ofKind.length === 0 ? [] : [kindSeries(kind, ofKind, length, bucketOf)];
  });
  return { bucket_s: width, start: new Date(start).toISOString(), kinds };
}

function bucketSeconds(span: number): number {
  const fits = (width: number) => Math.floor(span / width) + 1 <= MOST_POINTS;
  return WIDTHS_S.find(fits) ?? Math.ceil(span / (MOST_POINTS - 1));
}

function kindSeries(
  kind: PaidKind,
  calls: readonly LogicalCall[],
  length: number,
  bucketOf: (at: number) => number,
): KindSeries {
  const count = (chosen: readonly LogicalCall[], at: (call: LogicalCall) => number): readonly number[] => {
    const counts = Array.from({ length }, () => 0);
    for (const call of chosen) {
      const bucket = bucketOf(at(call));
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    return counts;
  };
  const endOf = (call: LogicalCall) => call.endedAt;
  const okCalls = calls.filter((call) => call.last.outcome === 'ok');
  const started = count(calls, (call) => call.startedAt);
  const ended = count(calls, endOf);
  const ttft = percentilesOf(okCalls, length, bucketOf, (call) => callTimes(call).ttft);
  const e2e = percentilesOf(okCalls, length, bucketOf, (call) => callTimes(call).e2e);
  let open = 0;
  return {
    kind,
    started,
    ok: count(okCalls, endOf),
    errors: count(
      calls.filter((call) => call.judged && call.last.outcome !== 'ok'),
      endOf,
    ),
    ttft_p50: ttft(50),
    ttft_p95: ttft(95),
    e2e_p50: e2e(50),
    e2e_p95: e2e(95),
    in_flight: started.map((starts, bucket) => {
      open += starts - (ended[bucket] ?? 0);
      return open;
    }),
  };
}

function percentilesOf(
  calls: readonly LogicalCall[],
  length: number,
  bucketOf: (at: number) => number,
  timeOf: (call: LogicalCall) => number | null,
): (percent: number) => readonly (number | null)[] {
  const buckets: number[][] = Array.from({ length }, () => []);
  for (const call of calls) {
    const value = timeOf(call);
    if (value !== null) buckets[bucketOf(call.endedAt)]?.push(value);
  }
  const sorted = buckets.map(ascending);
  return (percent) => sorted.map((values) => percentile(values, percent));
}
