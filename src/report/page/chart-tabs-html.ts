import { LEAST_CALLS_OF_PERCENTILE as LEAST } from '../../contracts/load-result.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import type { ChartData } from './charts.ts';

/** What is drawn where: src/measure/load-series.ts. */
const TIME_WORDS = 'Calls stand where they were sent; failed calls, TTFT and e2e stand where the call ended.';
const LEAST_WORDS = `A percentile is drawn only where enough calls ended: p50 from ${LEAST.p50}, p95 from ${LEAST.p95}, p99 from ${LEAST.p99} calls a point.`;
const SHADE_WORDS =
  'Shaded: outside the measured time (warm-up, cool-down, drain). The figures of this page are of the calls of the measured time, whenever they ended.';
const HOW_WORDS =
  'Drag over a chart to zoom; double-click to see all. With the keyboard: Tab to a chart, ← and → to read it, + and − to zoom, 0 to see all.';

/** Where the page's script puts the charts. Without the script every tab stands open, one below the other. */
export function chartTabsHtml({ tabs, measured }: ChartData): string {
  if (tabs.length === 0) return '<p>No call was sent, so there is nothing to draw.</p>';
  const isPlanned = tabs.some(({ charts }) => charts.some(({ planned }) => planned !== null));
  const words = [TIME_WORDS, LEAST_WORDS, ...(measured === null ? [] : [SHADE_WORDS])].join(' ');
  return `<div id="charts">
${isPlanned ? '<label class="choice screen"><input type="checkbox" id="from-plan"> Count TTFT and e2e from the planned start, which adds the lateness of the client</label>\n' : ''}${tabs.map(panelHtml).join('\n')}
</div>
<p class="note">${escapeHtml(words)} <span class="screen">${escapeHtml(HOW_WORDS)}</span></p>`;
}

function panelHtml({ name, charts }: ChartData['tabs'][number], tab: number): string {
  const figures = charts.map(({ title, unit, lines }, index) => {
    const caption = `<figcaption>${escapeHtml(`${title}, ${unit}`)}</figcaption>`;
    if (lines.length === 0)
      return `<figure>${caption}<p class="few">Too few calls ended for a percentile.</p></figure>`;
    const label = escapeHtml(`${name}, ${title}, ${unit}: chart`);
    return `<figure>${caption}<div data-chart="${tab} ${index}" role="group" tabindex="0" aria-label="${label}"></div></figure>`;
  });
  return `<div class="panel" data-tab="${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>\n<div class="charts">${figures.join('')}</div></div>`;
}
