import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { escapeHtml } from '../../text/escape-html.ts';
import { cardsOf } from '../sections/cards.ts';
import { type ReportInput, reportSections } from '../sections/report-sections.ts';
import { toolVersion } from '../words/tool-version.ts';
import { headline } from '../words/verdict-words.ts';
import { foldedSectionHtml, sectionHtml } from './block-html.ts';
import { cardsHtml } from './cards-html.ts';
import { CHART_SCRIPT } from './chart-script.ts';
import { chartData } from './charts.ts';
import { pageHtml } from './page-html.ts';
import { TABLE_SCRIPT } from './table-script.ts';

/** report.html */
export function renderHtml(input: ReportInput): string {
  const { result, measurement } = input;
  const charts = measurement === null ? null : chartData(measurement);
  const library = charts === null ? null : chartLibrary();
  const scripts = [TABLE_SCRIPT, ...(library === null ? [] : [library.script, CHART_SCRIPT])];
  const { main, evidence } = reportSections(input);
  const menu = [...main, { id: 'evidence', title: 'Evidence' }];
  return pageHtml({
    title: `Weighbridge ${result.run_id}: ${headline(result).text}`,
    scripts,
    style: library?.style ?? '',
    body: `<a class="skip" href="#main">To the report</a>
<header>
<p class="run">Weighbridge · run ${escapeHtml(result.run_id)}</p>
${cardsHtml(cardsOf(result, input.claims ?? null))}
</header>
<nav aria-label="Sections">${menu.map(({ id, title }) => `<a href="#${id}">${escapeHtml(title)}</a>`).join(' ')}</nav>
<main id="main">
${main.map((section) => sectionHtml(section, charts)).join('\n')}
<section id="evidence">
<h2>Evidence</h2>
${evidence.map(foldedSectionHtml).join('\n')}
</section>
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

interface ChartLibrary {
  readonly script: string;
  readonly style: string;
  /** Its licence whole, as the licence asks of whoever passes the code on, which whoever sends a report does. */
  readonly notice: string;
}

/** uPlot as it is installed, to be put into the page: a report opens offline. */
function chartLibrary(): ChartLibrary {
  const { resolve } = createRequire(import.meta.url);
  const read = (file: string): string => readFileSync(resolve(`uplot/${file}`), 'utf8');
  return {
    script: read('dist/uPlot.iife.min.js'),
    style: read('dist/uPlot.min.css'),
    notice: read('LICENSE').trimEnd(),
  };
}
