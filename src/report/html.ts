import { createHash } from 'node:crypto';
import { escapeHtml } from '../core/escape-html.ts';
import { chartLibrary } from './chart-library.ts';
import { type ChartData, chartData } from './charts.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { Block, Section, Table } from './report-document.ts';
import { type ReportInput, reportSections } from './report-sections.ts';
import {
  clientWords,
  foreignWords,
  headline,
  moneyWords,
  roundingWords,
  wasToDrive,
} from './verdict-words.ts';

/** report.html: one file that asks for nothing from outside, which its own policy enforces. */
export function renderHtml(input: ReportInput): string {
  const { result, measurement } = input;
  const charts = measurement === null ? null : chartData(measurement.series, measurement.window);
  const library = chartLibrary();
  const scripts = charts === null ? [] : [library.script, PAGE_SCRIPT];
  const verdict = headline(result);
  const sections = reportSections(input);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(scripts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`Weighbridge ${result.run_id}: ${verdict.text}`)}</title>
<style>${library.style}${PAGE_STYLE}</style>
</head>
<body>
<header>
<p class="run">Weighbridge · run ${escapeHtml(result.run_id)}</p>
<h1 class="${verdict.tone}">${escapeHtml(verdict.text)}</h1>
<dl class="facts">
${facts(input)
  .map(([term, value]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(value)}</dd>`)
  .join('\n')}
</dl>
<nav>${sections.map(({ id, title }) => `<a href="#${id}">${escapeHtml(title)}</a>`).join(' ')}</nav>
</header>
<main>
${sections.map((section) => htmlSection(section, charts)).join('\n')}
</main>
<footer>Made by Weighbridge ${escapeHtml(result.tool.weighbridge)} from the files beside this one. Charts: uPlot (MIT).</footer>
${charts === null ? '' : `<script type="application/json" id="chart-data">${scriptJson(charts)}</script>\n`}${scripts
  .map((script) => `<script>${script}</script>\n`)
  .join('')}</body>
</html>
`;
}

/** JSON that no text in it can end: `</script>` and `<!--` need a `<`. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function facts({ result }: ReportInput): readonly (readonly [string, string])[] {
  const foreign = foreignWords(result);
  const rounding = roundingWords(result);
  const { load } = result;
  const held = load === null || load.total.held === 0 ? '' : ` · ${load.total.held} held`;
  return [
    ['Money', moneyWords(result)],
    ...(rounding === null ? [] : [['Price book', rounding] as const]),
    ...(foreign === null ? [] : [['Shared key', foreign] as const]),
    ...(wasToDrive(result) ? [['Measurement', clientWords(result.client)] as const] : []),
    ...(load === null
      ? []
      : [
          [
            'Load',
            `${load.total.planned} planned · ${load.total.started} started · ${load.total.dropped} dropped${held} · ${load.total.ok} ok`,
          ] as const,
        ]),
    ['Target', result.target],
    ...(result.period === null
      ? []
      : [['Period', `${result.period.start} to ${result.period.end}`] as const]),
  ];
}

/** Nothing is loaded, and only the scripts written here run: an id that smuggles one in stays text. */
export function contentPolicy(scripts: readonly string[]): string {
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src ${hashes.length === 0 ? "'none'" : hashes.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export function htmlSection({ id, title, blocks }: Section, charts: ChartData | null): string {
  const body = blocks.map((block) => renderBlock(block, charts)).join('\n');
  return `<section id="${id}">\n<h2>${escapeHtml(title)}</h2>\n${body}\n</section>`;
}

function renderBlock(block: Block, charts: ChartData | null): string {
  switch (block.type) {
    case 'text':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
    case 'code':
      return `<pre>${escapeHtml(block.text)}</pre>`;
    case 'table':
      return renderTable(block.table);
    case 'charts':
      return charts === null ? '' : chartPlaces(charts);
  }
}

function renderTable({ columns, rows }: Table): string {
  const kind = (column: number) => (columns[column]?.numeric === true ? ' class="number"' : '');
  const head = columns
    .map(({ title }, column) => `<th scope="col"${kind(column)}>${escapeHtml(title)}</th>`)
    .join('');
  const body = rows
    .map(
      (row) =>
        `<tr>${row.map((cell, column) => `<td${kind(column)}>${escapeHtml(cell).replaceAll('\n', '<br>')}</td>`).join('')}</tr>`,
    )
    .join('\n');
  return `<div class="wide"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody></table></div>`;
}

/** What is drawn where: src/measure/load-series.ts. */
const CHART_WORDS =
  'Calls of the whole run, each turn of a session one of them, stand where they were sent. Errors, TTFT and e2e stand where a call ended, so those of measured calls can stand in the shade.';

/** Where the page's script puts the charts, numbered over all kinds. */
function chartPlaces({ measured, kinds }: ChartData): string {
  let number = 0;
  const shaded =
    measured === null
      ? ''
      : ' Shaded: outside the measured time (warm-up, cool-down, drain). The figures of this page are of the calls of the measured time, whenever they ended.';
  const caption = `<p>${escapeHtml(`${CHART_WORDS}${shaded}`)}</p>\n`;
  const places = kinds
    .map(({ kind, charts }) => {
      const figures = charts.map(
        ({ title, unit }) =>
          `<figure><figcaption>${escapeHtml(`${title}, ${unit}`)}</figcaption><div data-chart="${number++}"></div></figure>`,
      );
      return `<h3>${escapeHtml(kind)}</h3>\n<div class="charts">${figures.join('')}</div>`;
    })
    .join('\n');
  return `${caption}${places}`;
}
