import { LEAST_CALLS_OF_PERCENTILE } from '../contracts/load-result.ts';
import type { ScenarioPlan } from '../contracts/plan.ts';
import { PAID_KINDS, type PaidKind } from '../core/call-kind.ts';
import { scheduledBetween } from './arrival-time.ts';
import { type CallTimes, callTimes } from './call-times.ts';
import { ascending, percentile } from './latency-table.ts';
import type { LogicalCall } from './logical-call.ts';

/** What happened over time, in equal buckets from the zero of the schedule on. */
export interface LoadSeries {
  readonly bucket_s: number;
  /** RFC 3339, the beginning of the first bucket; null where nothing started. */
  readonly start: string | null;
  readonly kinds: readonly KindSeries[];
  /** Calls of all kinds together. */
  readonly total: CallSeries;
}

interface KindSeries extends CallSeries {
  readonly kind: PaidKind;
}

/** Columns of one length; times in ms, null where too few calls ended. */
export interface CallSeries {
  /** Starts that the plan asks for, where it says so of every bucket. */
  readonly asked: readonly number[] | null;
  /** Calls by the bucket of their start. */
  readonly started: readonly number[];
  /** Calls by the bucket of their end. `errors`: not ok, and not ended by us. */
  readonly ok: readonly number[];
  readonly errors: readonly number[];
  /** Of ok calls, by the bucket of their end. */
  readonly ttft: PercentileSeries;
  /** TTFT counted from the planned start. */
  readonly ttft_planned: PercentileSeries;
  readonly e2e: PercentileSeries;
  readonly e2e_planned: PercentileSeries;
  readonly failures: readonly FailureSeries[];
  /** The most calls under way at one moment of the bucket. */
  readonly in_flight: readonly number[];
}

export interface PercentileSeries {
  readonly p50: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
  readonly p99: readonly (number | null)[];
}

const MOST_POINTS = 600;
const LEAST_POINTS = 30;
const CALLS_A_BUCKET = 8;
const WIDTHS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600] as const;

/**
 * `zero`: when the schedule began, epoch ms. A call is of the kind of its scenario, which a fallback does not change.
 */
export function loadSeries(
  calls: readonly LogicalCall[],
  zero: number | null,
  scenarios: readonly ScenarioPlan[],
): LoadSeries {
  const kindOf = new Map(scenarios.map(({ name, kind }) => [name, kind]));
  const sent = calls.filter((call) => call.sent && Number.isFinite(call.startedAt));
  const first = sent.reduce((least, call) => Math.min(least, call.startedAt), Number.POSITIVE_INFINITY);
  const start = Math.min(first, zero ?? first);
  const end = sent.reduce((most, call) => Math.max(most, call.endedAt), start);
  const none: CallSeries = { ...callSeries([], 0, () => 0), asked: null };
  if (!Number.isFinite(first)) return { bucket_s: 1, start: null, kinds: [], total: none };
  const kindCalls = [...Map.groupBy(sent, (call) => kindOf.get(call.scenario)).values()];
  const most = kindCalls.reduce((largest, of) => Math.max(largest, of.length), 0);
  const width = bucketSeconds((end - start) / 1000, most);
  const length = Math.floor((end - start) / 1000 / width) + 1;
  const bucketOf = (at: number) => Math.floor((at - start) / 1000 / width);
  const seriesOf = (own: readonly LogicalCall[], of: readonly ScenarioPlan[]): CallSeries => {
    // A script of the user's own makes its starts where it likes.
    const planned = own.some(({ attempts }) => attempts[0]?.planned_at != null);
    const asked = planned ? askedSeries(of, width, length) : null;
    return { ...callSeries(own, length, bucketOf), asked };
  };
  const kinds = PAID_KINDS.flatMap((kind) => {
    const own = sent.filter((call) => kindOf.get(call.scenario) === kind);
    const of = scenarios.filter((scenario) => scenario.kind === kind);
    return own.length === 0 ? [] : [{ kind, ...seriesOf(own, of) }];
  });
  const total = seriesOf(sent, scenarios);
  return { bucket_s: width, start: new Date(start).toISOString(), kinds, total };
}

/** As fine as the commonest kind has calls for, and never so coarse that nothing is seen of the course. */
function bucketSeconds(span: number, calls: number): number {
  const points = (width: number) => Math.floor(span / width) + 1;
  const fits = (width: number) => points(width) <= MOST_POINTS;
  const coarser = WIDTHS_S.findLast((width) => points(width) >= LEAST_POINTS) ?? 1;
  const filled = (width: number) => calls / points(width) >= CALLS_A_BUCKET || width >= coarser;
  return WIDTHS_S.find((width) => fits(width) && filled(width)) ?? Math.ceil(span / (MOST_POINTS - 1));
}

function callSeries(
  calls: readonly LogicalCall[],
  length: number,
  bucketOf: (at: number) => number,
): Omit<CallSeries, 'asked'> {
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
  const times = okCalls.map((call) => ({ call, bucket: bucketOf(call.endedAt), times: callTimes(call) }));
  const over = (timeOf: (times: CallTimes, call: LogicalCall) => number | null): PercentileSeries =>
    percentilesOf(
      length,
      times.map(({ call, bucket, times: each }) => [bucket, timeOf(each, call)]),
    );
  return {
    started: count(calls, (call) => call.startedAt),
    ok: count(okCalls, endOf),
    errors: count(
      calls.filter((call) => call.judged && call.last.outcome !== 'ok'),
      endOf,
    ),
    ttft: over(({ ttft }) => ttft),
    ttft_planned: over(({ ttft }, { scheduleLagMs }) =>
      ttft === null || scheduleLagMs === null ? null : ttft + scheduleLagMs,
    ),
    e2e: over(({ e2e }) => e2e),
    e2e_planned: over(({ e2ePlanned }) => e2ePlanned),
    failures: failureSeries(calls, length, bucketOf),
    in_flight: peaksInFlight(calls, length, bucketOf),
  };
}

/** Short calls are not seen at the edges of buckets, so the most at any moment is told. */
function peaksInFlight(
  calls: readonly LogicalCall[],
  length: number,
  bucketOf: (at: number) => number,
): readonly number[] {
  const changes = calls
    .flatMap(({ startedAt, endedAt }) => [[startedAt, 1] as const, [endedAt, -1] as const])
    .sort(([left, one], [right, other]) => left - right || one - other);
  const peaks = Array.from({ length }, () => 0);
  let open = 0;
  let bucket = 0;
  for (const [at, change] of changes) {
    for (; bucket < bucketOf(at); bucket += 1) peaks[bucket + 1] = open;
    open += change;
    peaks[bucket] = Math.max(peaks[bucket] ?? 0, open);
  }
  return peaks;
}

/** A point stands in the middle of as many buckets as give it enough calls. */
function percentilesOf(
  length: number,
  values: readonly (readonly [bucket: number, ms: number | null])[],
): PercentileSeries {
  const known = values.flatMap(([bucket, ms]) => (ms === null ? [] : [{ bucket, ms }]));
  const step = bucketsAPoint(length, known.length);
  const points = Map.groupBy(known, ({ bucket }) => Math.floor(bucket / step));
  const of = (percent: number, least: number) => {
    const columns: (number | null)[] = Array.from({ length }, () => null);
    for (const [point, own] of points) {
      if (own.length < least) continue;
      const middle = Math.min(length - 1, point * step + Math.floor(step / 2));
      columns[middle] = percentile(ascending(own.map(({ ms }) => ms)), percent);
    }
    return columns;
  };
  return {
    p50: of(50, LEAST_CALLS_OF_PERCENTILE.p50),
    p95: of(95, LEAST_CALLS_OF_PERCENTILE.p95),
    p99: of(99, LEAST_CALLS_OF_PERCENTILE.p99),
  };
}

const STEPS = [1, 2, 3, 5, 10, 15, 30, 60] as const;
/** Fewer points show no course. */
const LEAST_SHOWN = 6;

function bucketsAPoint(length: number, calls: number): number {
  const points = (step: number) => Math.ceil(length / step);
  const allowed = STEPS.filter((step) => step === 1 || points(step) >= LEAST_SHOWN);
  return allowed.find((step) => calls / points(step) >= LEAST_CALLS_OF_PERCENTILE.p95) ?? allowed.at(-1) ?? 1;
}

/**
 * Starts that the schedules ask for, bucket by bucket from their zero on; null where they do not say it of every bucket
 * (closed loops, random processes, traces), or where a start makes several calls.
 */
function askedSeries(
  scenarios: readonly ScenarioPlan[],
  bucketSeconds: number,
  length: number,
): readonly number[] | null {
  if (scenarios.some(({ text }) => text?.session != null)) return null;
  const asked: number[] = [];
  for (let bucket = 0; bucket < length; bucket += 1) {
    let calls = 0;
    for (const { arrival } of scenarios) {
      const own = scheduledBetween(arrival, bucket * bucketSeconds, bucketSeconds).calls;
      if (own === null) return null;
      calls += own;
    }
    asked.push(calls);
  }
  return asked;
}

/** Failed calls of one code over time, by the bucket of their end. */
interface FailureSeries {
  /** The gateway's error code, else status and outcome; `other` for all codes beyond the commonest. */
  readonly code: string;
  readonly counts: readonly number[];
}

/** More lines than this cannot be told apart in one chart. */
const MOST_CODES = 6;

/** Commonest code first; what we ended ourselves did not fail. */
function failureSeries(
  calls: readonly LogicalCall[],
  length: number,
  bucketOf: (at: number) => number,
): readonly FailureSeries[] {
  const failed = calls.filter((call) => call.judged && call.last.outcome !== 'ok');
  const byCode = [...Map.groupBy(failed, codeOf)].sort(
    ([left, one], [right, other]) => other.length - one.length || (left < right ? -1 : 1),
  );
  const shown = byCode.length > MOST_CODES ? byCode.slice(0, MOST_CODES - 1) : byCode;
  const rest = byCode.slice(shown.length).flatMap(([, of]) => of);
  const all = rest.length === 0 ? shown : [...shown, ['other', rest] as const];
  return all.map(([code, of]) => {
    const counts = Array.from({ length }, () => 0);
    for (const { endedAt } of of) {
      const bucket = bucketOf(endedAt);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    return { code, counts };
  });
}

function codeOf({ last: { error_code, status, outcome } }: LogicalCall): string {
  return error_code ?? (status === null || status < 400 ? outcome : `${status} ${outcome}`);
}
