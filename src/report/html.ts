import { escapeHtml } from '../core/escape-html.ts';
import { chartData } from './charts.ts';
import { sectionHtml } from './page/block-html.ts';
import { type ChartLibrary, chartLibrary } from './page/chart-library.ts';
import { CHART_SCRIPT } from './page/chart-script.ts';
import { firstScreen } from './page/first-screen.ts';
import { pageHtml } from './page/page-html.ts';
import { TABLE_SCRIPT } from './page/table-script.ts';
import { type ReportInput, reportSections } from './report-sections.ts';
import { toolVersion } from './tool-version.ts';
import { headline } from './verdict-words.ts';

/** report.html */
export function renderHtml(input: ReportInput): string {
  const { result, measurement } = input;
  const charts = measurement === null ? null : chartData(measurement);
  const library = charts === null ? null : chartLibrary();
  const scripts = [TABLE_SCRIPT, ...(library === null ? [] : [library.script, CHART_SCRIPT])];
  const sections = reportSections(input);
  return pageHtml({
    title: `Weighbridge ${result.run_id}: ${headline(result).text}`,
    scripts,
    style: library?.style ?? '',
    body: `<a class="skip" href="#main">To the report</a>
<header>
${firstScreen(result)}
</header>
<nav aria-label="Sections">${sections.map(({ id, title }) => `<a href="#${id}">${escapeHtml(title)}</a>`).join(' ')}</nav>
<main id="main">
${sections.map((section) => sectionHtml(section, charts)).join('\n')}
</main>
<footer>Made by Weighbridge ${escapeHtml(toolVersion(result.tool))} from the files beside this one.${library === null ? '' : licenceHtml(library)}</footer>
<p id="told" class="unseen" role="status"></p>${charts === null ? '' : `\n<script type="application/json" id="chart-data">${scriptJson(charts)}</script>`}`,
  });
}

function licenceHtml({ notice }: ChartLibrary): string {
  return ` Its charts are drawn by uPlot, whose code it holds.
<details><summary>Licence of uPlot</summary>
<pre tabindex="0">${escapeHtml(notice)}</pre>
</details>`;
}

/** JSON that no text in it can end: `</script>` and `<!--` need a `<`. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
