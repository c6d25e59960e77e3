import { ABSENT, figure, ms, rateText } from '../../../report/words/figure-text.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import type { Times } from '../../notices/progress.ts';
import type { Point } from './load-points.ts';

const WIDTH = 600;
const HEIGHT = 120;
const MOST_CAUSES = 4;

interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly words: (value: number | null) => string;
  readonly lines: readonly Line[];
  /** The lines between which the chart is filled. */
  readonly band?: readonly [number, number];
}

interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/** Shows the load since it began: a chart with axes for each question, and its figures in words for the script's hover. */
export function overTime(points: readonly Point[]): string {
  if (points.length < 2) return '';
  const charts = chartsOf(points).filter(({ lines }) =>
    lines.some(({ values }) => values.some((value) => value !== null)),
  );
  return `<section class="time" aria-label="Over time">${charts.map((chart) => chartHtml(chart, points)).join('')}</section>`;
}

function chartsOf(points: readonly Point[]): readonly Chart[] {
  const line = (label: string, pick: (point: Point) => number | null): Line => ({
    label,
    values: points.map(pick),
  });
  const bands = (pick: (point: Point) => Times): readonly Line[] => [
    line('p50', (point) => pick(point)?.p50_ms ?? null),
    line('p95', (point) => pick(point)?.p95_ms ?? null),
    line('p99', (point) => pick(point)?.p99_ms ?? null),
  ];
  const causes = Object.keys(points.at(-1)?.errors ?? {}).slice(0, MOST_CAUSES);
  return [
    {
      ...{ title: 'Starts against the plan', unit: 'per second', words: rateText },
      lines: [line('started', ({ started }) => started), line('planned', ({ asked }) => asked)],
    },
    {
      ...{ title: 'Calls in flight', unit: 'calls', words: counted },
      lines: [line('in flight', ({ in_flight }) => in_flight)],
    },
    {
      ...{ title: 'Time to first token', unit: 'ms', words: inMs, band: [0, 2] },
      lines: bands(({ ttft }) => ttft),
    },
    {
      ...{ title: 'Time to the end of the answer', unit: 'ms', words: inMs, band: [0, 2] },
      lines: bands(({ e2e }) => e2e),
    },
    {
      ...{ title: 'Failed calls by cause', unit: 'calls so far', words: counted },
      lines: causes.map((cause) => line(cause, ({ errors }) => errors[cause] ?? 0)),
    },
    {
      ...{ title: 'Spend against the cap', unit: 'USD at most', words: dollars },
      lines: [line('spent at most', ({ spent }) => spent), line('cap', ({ cap }) => cap)],
    },
  ];
}

function chartHtml({ title, unit, words, lines, band }: Chart, points: readonly Point[]): string {
  const [from, to] = [points.at(0)?.s ?? 0, points.at(-1)?.s ?? 1];
  const top = roundTop(Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const x = (s: number): number => tenth(((s - from) / (to - from || 1)) * WIDTH);
  const y = (value: number): number => tenth(HEIGHT - (value / top) * (HEIGHT - 4) - 2);
  const paths = lines.map(
    ({ values }, at) => `<path class="k${at + 1}" d="${pathOf(values, points, { x, y })}"/>`,
  );
  const fill =
    band === undefined
      ? ''
      : `<path class="band" d="${bandOf([lines[band[0]], lines[band[1]]], points, { x, y })}"/>`;
  const now = lines.map(({ label, values }) => `${label} ${words(values.at(-1) ?? null)}`).join(', ');
  const keys = lines.map(
    ({ label, values }, at) =>
      `<span class="key k${at + 1}">${escapeHtml(label)} <b>${escapeHtml(words(values.at(-1) ?? null))}</b></span>`,
  );
  const told = JSON.stringify({
    x: points.map(({ s }) => [x(s) / WIDTH, `at ${figure(s)} s`]),
    values: lines.map(({ values }) => values.map(words)),
  });
  const grid = `<path class="grid" d="M0 ${y(top)}H${WIDTH}M0 ${y(top / 2)}H${WIDTH}M0 ${y(0)}H${WIDTH}"/>`;
  return `<figure data-told="${escapeHtml(told)}"><figcaption><strong>${title}</strong> <span class="unit">${unit}</span> <span class="moment"></span><br>${keys.join(' ')}</figcaption>
<div class="plot"><div class="y" aria-hidden="true"><span>${axisText(top)}</span><span>${axisText(top / 2)}</span><span>0</span></div><svg role="img" aria-label="${escapeHtml(`${title}, ${unit}, from ${figure(from)} to ${figure(to)} s: now ${now}`)}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${grid}${fill}${paths.join('')}<path class="cursor" d=""/></svg><div class="x" aria-hidden="true"><span>${figure(from)} s</span><span>${figure(to)} s</span></div></div></figure>`;
}

interface Scales {
  readonly x: (s: number) => number;
  readonly y: (value: number) => number;
}

/** A line with a gap where nothing was known. */
function pathOf(values: readonly (number | null)[], points: readonly Point[], { x, y }: Scales): string {
  let pen = 'M';
  const parts = values.flatMap((value, at) => {
    if (value === null) {
      pen = 'M';
      return [];
    }
    const part = `${pen}${x(points[at]?.s ?? 0)} ${y(value)}`;
    pen = 'L';
    return [part];
  });
  return parts.join('');
}

/** The area between two lines, where both are known. */
function bandOf(edges: readonly (Line | undefined)[], points: readonly Point[], { x, y }: Scales): string {
  const [low, high] = edges.map((edge) => edge?.values ?? []);
  const known = points.flatMap(({ s }, at) => {
    const [least, most] = [low?.[at] ?? null, high?.[at] ?? null];
    return least === null || most === null ? [] : [{ s, least, most }];
  });
  if (known.length < 2) return '';
  const there = known.map(({ s, most }) => `${x(s)} ${y(most)}`);
  const back = known.toReversed().map(({ s, least }) => `${x(s)} ${y(least)}`);
  return `M${[...there, ...back].join('L')}Z`;
}

/** The next of 1, 2, 5 times a power of ten: an axis that does not jump with each value. */
function roundTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}

function axisText(value: number): string {
  return value >= 10_000 ? `${axisText(value / 1000)}k` : String(Number(value.toPrecision(3)));
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function counted(value: number | null): string {
  return String(value ?? ABSENT);
}

function dollars(value: number | null): string {
  return value === null ? ABSENT : `$${Number(value.toPrecision(4))}`;
}

function inMs(value: number | null): string {
  return value === null ? ABSENT : `${ms(value)} ms`;
}
