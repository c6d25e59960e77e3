import { parseInstant } from '../../core/time.ts';
import type { CallSeries, LoadSeries, PercentileSeries } from '../../measure/load-series.ts';
import type { MeasuredWindow } from '../../measure/measured-window.ts';
import type { TimeDistributions } from '../../measure/time-distributions.ts';
import type { TimeHistogram } from '../../measure/time-histogram.ts';

/** One chart as the page's script draws it. */
interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Stepped for counts per bucket, a line for times, bars for how times lie. */
  readonly shape: 'steps' | 'line' | 'bars';
  /** Upper bounds in ms of the buckets of a histogram; null for a chart over the time of the run. */
  readonly bounds: readonly number[] | null;
  readonly lines: readonly ChartLine[];
  /** The same lines with times counted from the planned start; null where nothing is counted so. */
  readonly planned: readonly ChartLine[] | null;
}

interface ChartLine {
  readonly label: string;
  /** A custom property of the page's style. */
  readonly color: `--c${1 | 2 | 3 | 4 | 5 | 6}` | '--muted';
  readonly dashed: boolean;
  readonly values: readonly (number | null)[];
}

/** The charts of one tab. */
interface ChartTab {
  readonly name: string;
  readonly charts: readonly Chart[];
}

export interface ChartData {
  /** Seconds since the zero of the schedule, one for each bucket. */
  readonly x: readonly number[];
  /** Seconds since the zero of the schedule in which calls were measured; null where nothing is left out. */
  readonly measured: readonly [number, number] | null;
  readonly tabs: readonly ChartTab[];
}

export interface Measured {
  readonly series: LoadSeries;
  readonly window: MeasuredWindow | null;
  readonly distributions: readonly TimeDistributions[];
}

/** All kinds together in the first tab, then each kind in a tab of its own; no tab where no call was sent. */
export function chartData({ series, window, distributions }: Measured): ChartData {
  const length = series.total.started.length;
  const first = series.kinds.length === 0 ? [] : [{ name: 'All kinds', charts: allCharts(series) }];
  return {
    x: Array.from({ length }, (_, index) => index * series.bucket_s),
    measured: measuredSpan(series, window),
    tabs: [
      ...first,
      ...series.kinds.map((kind) => ({
        name: kind.kind,
        charts: [...kindCharts(kind, series.bucket_s), ...distributionCharts(kind.kind, distributions)],
      })),
    ],
  };
}

function measuredSpan(series: LoadSeries, window: MeasuredWindow | null): ChartData['measured'] {
  const zero = parseInstant(series.start ?? '');
  const from = parseInstant(window?.start ?? '');
  const to = parseInstant(window?.end ?? '');
  return zero === null || from === null || to === null ? null : [(from - zero) / 1000, (to - zero) / 1000];
}

/** Six charts, whatever was sent: times of different kinds stand as a line each, never in one percentile. */
function allCharts({ total, kinds, bucket_s }: LoadSeries): readonly Chart[] {
  const byKind = (title: string, rank: 'p50' | 'p95') => {
    const linesOf = (measure: 'e2e' | 'e2e_planned') =>
      kinds.flatMap((kind, index) =>
        isDrawn(kind[measure][rank]) ? [line(kind.kind, index, kind[measure][rank])] : [],
      );
    return over(title, 'ms', 'line', linesOf('e2e'), linesOf('e2e_planned'));
  };
  return [
    rate(total, bucket_s),
    inFlight(total),
    errors(total, bucket_s),
    percentiles('TTFT', total.ttft, total.ttft_planned),
    byKind('e2e p50 by kind', 'p50'),
    byKind('e2e p95 by kind', 'p95'),
  ];
}

function kindCharts(kind: CallSeries, bucketSeconds: number): readonly Chart[] {
  return [
    rate(kind, bucketSeconds),
    inFlight(kind),
    ...(kind.failures.length === 0 ? [] : [errors(kind, bucketSeconds)]),
    ...(isDrawn(kind.ttft.p50) ? [percentiles('TTFT', kind.ttft, kind.ttft_planned)] : []),
    ...(isDrawn(kind.e2e.p50) ? [percentiles('e2e', kind.e2e, kind.e2e_planned)] : []),
  ];
}

function rate({ asked, started, ok }: CallSeries, bucketSeconds: number): Chart {
  const perSecond = (counts: readonly number[]) => counts.map((count) => count / bucketSeconds);
  return over('Calls per second', '/s', 'steps', [
    ...(asked === null
      ? []
      : [{ label: 'planned', color: '--muted', dashed: true, values: perSecond(asked) } as const]),
    line('sent', 0, perSecond(started)),
    line('ok', 2, perSecond(ok)),
  ]);
}

function inFlight({ in_flight }: CallSeries): Chart {
  return over('Calls in flight, at most', 'calls', 'steps', [line('in flight', 0, in_flight)]);
}

const FAILED_COLORS = [3, 1, 2, 4, 5, 0] as const;

function errors({ failures, errors: none }: CallSeries, bucketSeconds: number): Chart {
  const all = failures.length === 0 ? [{ code: 'no call failed', counts: none }] : failures;
  return over(
    'Failed calls per second',
    '/s',
    'steps',
    all.map(({ code, counts }, index) =>
      line(
        code,
        FAILED_COLORS[index] ?? 0,
        counts.map((count) => count / bucketSeconds),
      ),
    ),
  );
}

function percentiles(title: string, sent: PercentileSeries, planned: PercentileSeries): Chart {
  const linesOf = ({ p50, p95, p99 }: PercentileSeries) =>
    [line('p50', 0, p50), line('p95', 1, p95), line('p99', 3, p99)].filter(({ values }) => isDrawn(values));
  return over(title, 'ms', 'line', linesOf(sent), linesOf(planned));
}

function isDrawn(values: readonly (number | null)[]): boolean {
  return values.some((value) => value !== null);
}

const COLORS = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6'] as const;

/** From the seventh on, lines are dashed in the same colours. */
function line(label: string, index: number, values: readonly (number | null)[]): ChartLine {
  const color = COLORS[index % COLORS.length] ?? '--muted';
  return { label, color, dashed: index >= COLORS.length, values };
}

function over(
  title: string,
  unit: string,
  shape: Chart['shape'],
  lines: readonly ChartLine[],
  planned: readonly ChartLine[] = [],
): Chart {
  return { title, unit, shape, bounds: null, lines, planned: planned.length === 0 ? null : planned };
}

function distributionCharts(name: string, all: readonly TimeDistributions[]): readonly Chart[] {
  return all
    .filter(({ kind }) => kind === name)
    .flatMap(({ ttft, itl, e2e }) => [
      ...bars('TTFT, share of calls', ttft),
      ...bars('ITL, share of gaps', itl),
      ...bars('e2e, share of calls', e2e),
    ]);
}

/** Each bucket's share, so that kinds of many calls and of few can be compared. */
function bars(title: string, histogram: TimeHistogram | null): readonly Chart[] {
  if (histogram === null) return [];
  const { bounds_ms, counts, count } = histogram;
  const values = counts.map((each) => Math.round((each / count) * 1e6) / 1e4);
  const lines = [line(`of ${count.toLocaleString('en-US')}`, 0, values)];
  return [{ title, unit: '%', shape: 'bars', bounds: bounds_ms, lines, planned: null }];
}
