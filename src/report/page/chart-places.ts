import { escapeHtml } from '../../core/escape-html.ts';
import type { ChartData, KindCharts } from '../charts.ts';

/** What is drawn where: src/measure/load-series.ts. */
const TIME_WORDS =
  'Calls of the whole run, each turn of a session one of them, stand where they were sent. Errors, TTFT and e2e stand where a call ended, so those of measured calls can stand in the shade. From plan: counted from the planned start, which also holds what a late client adds.';
const SHADE_WORDS =
  ' Shaded: outside the measured time (warm-up, cool-down, drain). The figures of this page are of the calls of the measured time, whenever they ended.';
const DISTRIBUTION_WORDS =
  'How the times of ok calls lie, each bar the share of calls (of ITL: of gaps) in a bucket that is 19 % wide.';
const HOW_WORDS =
  'Drag over a chart to zoom, double-click to see all. With the keyboard: Tab to a chart, ← and → to read it, + and − to zoom, 0 to see all.';

/** Where the page's script puts the charts of one part of the page. */
export function chartPlaces(data: ChartData, of: 'over_time' | 'distributions'): string {
  const kinds = data[of];
  if (kinds.length === 0) return '<p>No call was sent, so there is nothing to draw.</p>';
  const words =
    of === 'over_time' ? `${TIME_WORDS}${data.measured === null ? '' : SHADE_WORDS}` : DISTRIBUTION_WORDS;
  return `<p>${escapeHtml(words)}</p>\n<p class="note screen">${escapeHtml(HOW_WORDS)}</p>\n${kinds
    .map((kind, index) => kindPlaces(kind, of, index))
    .join('\n')}`;
}

function kindPlaces({ kind, charts }: KindCharts, of: string, index: number): string {
  const figures = charts.map(
    ({ title, unit }, chart) =>
      `<figure><figcaption>${escapeHtml(`${title}, ${unit}`)}</figcaption><div data-chart="${of} ${index} ${chart}" role="group" tabindex="0" aria-label="${escapeHtml(`${kind}, ${title}, ${unit}: chart`)}"></div></figure>`,
  );
  return `<h3>${escapeHtml(kind)}</h3>\n<div class="charts">${figures.join('')}</div>`;
}
