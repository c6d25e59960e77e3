import { exitStatus } from '../../contracts/exit-code.ts';
import type { Result } from '../../contracts/result.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { plural } from '../../text/plural.ts';
import { pageHtml } from '../page/page-html.ts';
import { TABLE_SCRIPT } from '../page/table-script.ts';
import { ABSENT, ms, percent, signedUsd, usd, usdAbout } from '../words/figure-text.ts';
import { headline } from '../words/verdict-words.ts';

/** A run folder beside the index; a result of null could not be read. */
export interface IndexedRun {
  readonly folder: string;
  readonly result: Result | null;
}

/** What is drawn for runs of the same plan. */
const COURSES: readonly (readonly [
  name: string,
  of: (result: Result) => number | null,
  text: (result: Result) => string,
])[] = [
  [
    'TTFT p95',
    ({ load }) => load?.total.latency.ttft?.p95 ?? null,
    ({ load }) => `${ms(load?.total.latency.ttft?.p95)} ms`,
  ],
  [
    'e2e p95',
    ({ load }) => load?.total.latency.e2e?.p95 ?? null,
    ({ load }) => `${ms(load?.total.latency.e2e?.p95)} ms`,
  ],
  [
    'good calls',
    ({ load }) => load?.total.attainment ?? null,
    ({ load }) => percent(load?.total.attainment ?? null),
  ],
  [
    'USD per 1,000 good',
    ({ load }) => numberOf(load?.total.usd_per_1000_good),
    ({ load }) => usdAbout(load?.total.usd_per_1000_good ?? null),
  ],
];
const MOST_DRAWN = 50;

/** index.html of the run folders: the course of each plan, then every run, newest first. */
export function runsIndexHtml(runs: readonly IndexedRun[]): string {
  const newest = runs.toSorted((left, right) => (left.folder < right.folder ? 1 : -1));
  const body =
    runs.length === 0
      ? '<p>Make one with <code>weighbridge audit</code>.</p>'
      : `${coursesHtml(newest)}<section id="runs"><h2>Runs</h2>${runsTable(newest)}</section>`;
  return pageHtml({
    title: 'Weighbridge: runs',
    scripts: [TABLE_SCRIPT],
    body: `<header>
<p class="run">Weighbridge</p>
<h1>${escapeHtml(title(runs))}</h1>
</header>
<main>
${body}
</main>
<p id="told" class="unseen" role="status"></p>`,
  });
}

function title(runs: readonly IndexedRun[]): string {
  if (runs.length === 0) return 'No run yet';
  const clean = runs.filter(({ result }) => result !== null && exitOf(result) === 0).length;
  return `${plural(runs.length, 'run')}, ${clean} of them clean`;
}

function exitOf({ exit_codes }: Result): number {
  return exitStatus(exit_codes.map(({ code }) => code));
}

function coursesHtml(newest: readonly IndexedRun[]): string {
  const plans = [
    ...Map.groupBy(
      newest.flatMap(({ result }) => result ?? []),
      ({ plan_hash }) => plan_hash,
    ),
  ];
  const drawn = plans.filter(([hash, results]) => hash !== null && results.length > 1);
  if (drawn.length === 0) return '';
  const rows = drawn.map(([hash, results]) => {
    const course = results.slice(0, MOST_DRAWN).toReversed();
    const cells = COURSES.map(([name, of, text]) => {
      const values = course.map(of);
      const last = course.findLast((result) => of(result) !== null);
      const newestText = last === undefined ? ABSENT : text(last);
      const words = `${name} of ${course.length} runs, the last ${newestText}`;
      return `<td>${sparklineSvg(values, words)}${escapeHtml(newestText)}</td>`;
    });
    return `<tr><td><code>${escapeHtml(hash?.slice(0, 12) ?? '')}</code></td><td class="number">${results.length}</td>${cells.join('')}</tr>`;
  });
  const heads = COURSES.map(([name]) => `<th scope="col">${name}</th>`).join('');
  return `<section id="courses"><h2>Course of each plan</h2><p>Runs of the same plan, oldest first; the figure is the newest. Whether two of them differ: <code>weighbridge report --compare</code>.</p>
<div class="wide" role="group" tabindex="0" aria-label="Course of each plan"><table><thead><tr><th scope="col">plan</th><th scope="col" class="number">runs</th>${heads}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div></section>`;
}

const HEADS = [
  'run',
  'verdict',
  '#exit',
  '#ok',
  '#TTFT p95 ms',
  '#e2e p95 ms',
  '#charged',
  '#difference',
  'target',
];

function runsTable(newest: readonly IndexedRun[]): string {
  const heads = HEADS.map((title) => {
    const numeric = title.startsWith('#');
    return `<th scope="col"${numeric ? ' class="number"' : ''}>${title.replace('#', '')}</th>`;
  });
  return `<div class="wide" role="group" tabindex="0" aria-label="Runs"><table data-filter><thead><tr>${heads.join('')}</tr></thead><tbody>
${newest.map(runRow).join('\n')}
</tbody></table></div>`;
}

function runRow({ folder, result }: IndexedRun): string {
  const link = `<td><a href="${escapeHtml(encodeURIComponent(folder))}/report.html">${escapeHtml(folder)}</a></td>`;
  if (result === null)
    return `<tr>${link}<td colspan="${HEADS.length - 1}">its result.json cannot be read</td></tr>`;
  const { load, money, target } = result;
  const { text, tone } = headline(result);
  const figures = [
    String(exitOf(result)),
    ...(load === null ? [ABSENT] : [String(load.total.ok)]),
    ms(load?.total.latency.ttft?.p95),
    ms(load?.total.latency.e2e?.p95),
    usd(money?.charged ?? null),
    signedUsd(money?.difference ?? null),
  ].map((value) => `<td class="number">${escapeHtml(value)}</td>`);
  return `<tr>${link}<td class="${tone}">${escapeHtml(text)}</td>${figures.join('')}<td>${escapeHtml(target)}</td></tr>`;
}

/** To be drawn: an amount as a double. */
function numberOf(amount: string | null | undefined): number | null {
  return amount == null ? null : Number(amount);
}

const WIDTH = 120;
const HEIGHT = 26;
const EDGE = 3;

/** A line over runs, oldest first, its last value marked; a run without a value leaves a gap. Empty for fewer than two. */
export function sparklineSvg(values: readonly (number | null)[], name: string): string {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return '';
  const [low, high] = [Math.min(...known), Math.max(...known)];
  // A difference of a hundredth must not look like one of all: the height is a tenth of the value at least.
  const range = Math.max(high - low, Math.abs(high) / 10);
  const least = (low + high - range) / 2;
  const x = (index: number) => EDGE + (index * (WIDTH - 2 * EDGE)) / (values.length - 1);
  const y = (value: number) =>
    range === 0 ? HEIGHT / 2 : HEIGHT - EDGE - ((value - least) / range) * (HEIGHT - 2 * EDGE);
  const parts = values.map((value, index) => {
    if (value === null) return '';
    const before = index === 0 ? null : values[index - 1];
    return `${before == null ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  const last = values.findLastIndex((value) => value !== null);
  const end = values[last] ?? low;
  return `<svg class="spark" role="img" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-label="${escapeHtml(name)}"><path d="${parts.join('')}" fill="none" stroke="var(--c1)" stroke-width="1.5"/><circle cx="${x(last).toFixed(1)}" cy="${y(end).toFixed(1)}" r="2.5" fill="var(--c1)"/></svg>`;
}
