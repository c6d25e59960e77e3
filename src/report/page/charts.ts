import type { ComparedFigure } from '../../contracts/comparison.ts';
import { parseInstant } from '../../core/time.ts';
import type { KindSeries, LoadSeries, PercentileSeries } from '../../measure/load-series.ts';
import type { MeasuredWindow } from '../../measure/measured-window.ts';
import type { TimeDistributions } from '../../measure/time-distributions.ts';
import type { TimeHistogram } from '../../measure/time-histogram.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { MEASURE_WORDS } from '../comparison/run-comparison.ts';
import { VERDICT_WORDS } from '../sections/comparison-table.ts';
import { ABSENT } from '../words/figure-text.ts';

/** One chart as the page's script draws it. */
interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Stepped for counts per bucket, a line for times, bars for how times lie. */
  readonly shape: 'steps' | 'line' | 'bars';
  /** Upper bounds in ms of the buckets of a histogram; null for a chart over the time of the run. */
  readonly bounds: readonly number[] | null;
  readonly lines: readonly ChartLine[];
}

interface ChartLine {
  readonly label: string;
  /** A custom property of the page's style. */
  readonly color: `--c${1 | 2 | 3 | 4 | 5 | 6}` | '--muted';
  readonly values: readonly (number | null)[];
}

export interface KindCharts {
  readonly kind: string;
  readonly charts: readonly Chart[];
}

export interface ChartData {
  /** Seconds since the zero of the schedule, one for each bucket. */
  readonly x: readonly number[];
  /** Seconds since the zero of the schedule in which calls were measured; null where nothing is left out. */
  readonly measured: readonly [number, number] | null;
  readonly over_time: readonly KindCharts[];
  readonly distributions: readonly KindCharts[];
}

export interface Measured {
  readonly series: LoadSeries;
  readonly window: MeasuredWindow | null;
  readonly distributions: readonly TimeDistributions[];
}

/** What happened over time, and how the times lie, a row for each kind. `window`: the measured time. */
export function chartData({ series, window, distributions }: Measured): ChartData {
  const length = series.kinds[0]?.started.length ?? 0;
  return {
    x: Array.from({ length }, (_, index) => index * series.bucket_s),
    measured: measuredSpan(series, window),
    over_time: series.kinds.map((kind) => ({ kind: kind.kind, charts: timeCharts(kind, series.bucket_s) })),
    distributions: distributions.flatMap(({ kind, ttft, itl, e2e }) => {
      const charts = [...bars('TTFT', ttft), ...bars('ITL', itl), ...bars('e2e', e2e)];
      return charts.length === 0 ? [] : [{ kind, charts }];
    }),
  };
}

function measuredSpan(series: LoadSeries, window: MeasuredWindow | null): ChartData['measured'] {
  const zero = parseInstant(series.start ?? '');
  const from = parseInstant(window?.start ?? '');
  const to = parseInstant(window?.end ?? '');
  return zero === null || from === null || to === null ? null : [(from - zero) / 1000, (to - zero) / 1000];
}

const CODE_COLORS = ['--c4', '--c2', '--c3', '--c5', '--c6', '--muted'] as const;

function timeCharts(kind: KindSeries, bucketSeconds: number): readonly Chart[] {
  const perSecond = (counts: readonly number[]) => counts.map((count) => count / bucketSeconds);
  const streams = hasValues(kind.ttft);
  return [
    over('Rate', '/s', 'steps', [
      ...(kind.asked === null
        ? []
        : [{ label: 'asked', color: '--muted', values: perSecond(kind.asked) } as const]),
      { label: 'sent', color: '--c1', values: perSecond(kind.started) },
      { label: 'ok', color: '--c3', values: perSecond(kind.ok) },
    ]),
    ...(kind.failures.length === 0
      ? []
      : [
          over(
            'Errors by code',
            '/s',
            'steps',
            kind.failures.map(({ code, counts }, index) => ({
              label: code,
              color: CODE_COLORS[index] ?? '--muted',
              values: perSecond(counts),
            })),
          ),
        ]),
    over('In flight', 'calls', 'steps', [{ label: 'in flight', color: '--c1', values: kind.in_flight }]),
    ...(streams
      ? [
          percentiles('TTFT from send', kind.ttft),
          ...(hasValues(kind.ttft_planned) ? [percentiles('TTFT from plan', kind.ttft_planned)] : []),
        ]
      : []),
    percentiles('e2e from send', kind.e2e),
    ...(hasValues(kind.e2e_planned) ? [percentiles('e2e from plan', kind.e2e_planned)] : []),
  ];
}

function hasValues({ p50 }: PercentileSeries): boolean {
  return p50.some((value) => value !== null);
}

function percentiles(title: string, { p50, p95, p99 }: PercentileSeries): Chart {
  return over(title, 'ms', 'line', [
    { label: 'p50', color: '--c1', values: p50 },
    { label: 'p95', color: '--c2', values: p95 },
    { label: 'p99', color: '--c4', values: p99 },
  ]);
}

function over(title: string, unit: string, shape: Chart['shape'], lines: readonly ChartLine[]): Chart {
  return { title, unit, shape, bounds: null, lines };
}

/** Each bucket's share, so that kinds of many calls and of few can be compared. */
function bars(title: string, histogram: TimeHistogram | null): readonly Chart[] {
  if (histogram === null) return [];
  const { bounds_ms, counts, count } = histogram;
  const values = counts.map((each) => Math.round((each / count) * 1e6) / 1e4);
  const label = `of ${count.toLocaleString('en-US')}`;
  return [{ title, unit: '%', shape: 'bars', bounds: bounds_ms, lines: [{ label, color: '--c1', values }] }];
}

/** A difference on the scale that all bars share: hundredths of what was before, or of all calls where it is a share. */
interface Difference {
  readonly low: number;
  readonly at: number;
  readonly high: number;
  readonly unit: '%' | 'points';
}

/** Beyond so much a bar is cut: one measure that doubled must not press all others flat. */
const MOST = 100;
const FILTER_FROM = 12;

/** A bar for each measure: between which bounds the difference lies, around the line of no difference. */
export function intervalBarsHtml(figures: readonly ComparedFigure[], name: string): string {
  const rows = figures.map((figure) => ({ figure, difference: differenceOf(figure) }));
  const drawn = rows.flatMap(({ difference }) => difference ?? []);
  if (drawn.length === 0) return '';
  const least = Math.max(-MOST, Math.min(0, ...drawn.map(({ low }) => low)));
  const most = Math.min(MOST, Math.max(0, ...drawn.map(({ high }) => high)));
  const place = (value: number): string =>
    ((100 * (Math.min(most, Math.max(least, value)) - least)) / (most - least || 1)).toFixed(2);
  const cut = drawn.some(({ low, high }) => low < least || high > most);
  const filter = rows.length >= FILTER_FROM ? ' data-filter' : '';
  const note = cut ? '<p class="note">A bar that reaches the edge is longer than it is drawn.</p>' : '';
  return `<div class="wide" role="group" tabindex="0" aria-label="${escapeHtml(name)}"><table class="fall spans"${filter}>
<thead><tr><th scope="col">kind</th><th scope="col">measure</th><th scope="col">difference</th><th scope="col" class="number">change</th><th scope="col" class="number">99 % interval</th><th scope="col">verdict</th></tr></thead>
<tbody>
${rows.map(({ figure, difference }) => rowHtml(figure, difference, place)).join('\n')}
</tbody></table></div>${note}`;
}

const TONE: Readonly<Record<ComparedFigure['verdict'], string>> = {
  worse: 'bad',
  better: 'good',
  same: 'plain',
  too_few_calls: 'plain',
};

function rowHtml(
  { kind, measure, verdict }: ComparedFigure,
  difference: Difference | null,
  place: (value: number) => string,
): string {
  const bar =
    difference === null
      ? ''
      : `<div class="bar ${verdict}" style="left:${place(difference.low)}%;right:calc(100% - ${place(difference.high)}%)"></div><i style="left:${place(difference.at)}%"></i>`;
  const change = difference === null ? ABSENT : `${signed(difference.at)} ${difference.unit}`;
  const interval = difference === null ? ABSENT : `${signed(difference.low)} to ${signed(difference.high)}`;
  return `<tr><td>${kind}</td><th scope="row">${MEASURE_WORDS[measure]}</th><td class="track"><div><b style="left:${place(0)}%"></b>${bar}</div></td><td class="number">${change}</td><td class="number">${interval}</td><td class="${TONE[verdict]}">${VERDICT_WORDS[verdict]}</td></tr>`;
}

function differenceOf({ measure, before, after, low, high }: ComparedFigure): Difference | null {
  if (low === null || high === null) return null;
  const share = measure === 'error_share' || measure === 'bad_share';
  if (!share && before === 0) return null;
  const scale = share ? 100 : 100 / before;
  return { low: low * scale, at: (after - before) * scale, high: high * scale, unit: share ? 'points' : '%' };
}

/** One decimal: more cannot be seen, and the table has it. The sign stands even where the digit is 0. */
function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
}
