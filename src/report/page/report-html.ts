import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result } from '../../contracts/result.ts';
import type { LatencyTables } from '../../contracts/time-figures.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { type ReportInput, reportSections } from '../sections/report-sections.ts';
import { ABSENT, ms, percent, periodText, rateText, signedUsd, usdAbout } from '../words/figure-text.ts';
import { toolVersion } from '../words/tool-version.ts';
import {
  clientWords,
  guessLines,
  headline,
  moneyWords,
  roundingWords,
  trafficWords,
  wasToDrive,
} from '../words/verdict-words.ts';
import { sectionHtml } from './block-html.ts';
import { CHART_SCRIPT } from './chart-script.ts';
import { chartData } from './charts.ts';
import { factList, pageHtml, verdictHeading } from './page-html.ts';
import { TABLE_SCRIPT } from './table-script.ts';

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

/** What a reader sees first: the verdict in words, the money, whether the measurement is valid; then the figures. */
function firstScreen(result: Result): string {
  return `<p class="run">Weighbridge · run ${escapeHtml(result.run_id)}</p>
${verdictHeading(headline(result))}
${factList(facts(result))}
${figuresHtml(figures(result))}`;
}

function facts(result: Result): readonly (readonly [string, string])[] {
  const rounding = roundingWords(result);
  const { load } = result;
  const held = load === null || load.total.held === 0 ? '' : ` · ${load.total.held} held`;
  return [
    ...(result.bill === 'none' ? [] : [['Money', moneyWords(result)] as const]),
    ...guessLines(result).map((words) => ['Guess', words] as const),
    ...(rounding === null ? [] : [['Price book', rounding] as const]),
    ...trafficWords(result),
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
    ...(result.period === null ? [] : [['Period', periodText(result.period)] as const]),
  ];
}

type Figure = readonly [name: string, value: string, unit: string];

function figures({ load, money, coverage, bill }: Result): readonly Figure[] {
  return [
    ...(money === null
      ? []
      : [
          ['Difference', signedUsd(money.difference), 'certainly too much − too little'] as const,
          ['Checked to the digit', percent(coverage?.to_the_digit ?? null), 'of charged USD'] as const,
        ]),
    ...(load === null
      ? []
      : [
          ['Good calls', percent(load.total.attainment), `${rateText(load.total.goodput)}/s`] as const,
          time('TTFT', load.total.latency.ttft),
          time('ITL', load.total.latency.itl),
          time('e2e', load.total.latency.e2e),
          bill === 'none'
            ? ([
                'Output tokens/s',
                rateText(load.total.throughput?.output_tokens ?? null),
                `${rateText(load.total.throughput?.per_stream ?? null)} a stream`,
              ] as const)
            : ([
                'Per 1,000 good calls',
                `${load.total.usd_per_1000_good_at_most ? '≤ ' : ''}${usdAbout(load.total.usd_per_1000_good, load.total.usd_per_1000_good_at_most)}`,
                'USD, all calls paid',
              ] as const),
        ]),
  ];
}

function time(name: string, table: LatencyTables[keyof LatencyTables]): Figure {
  return [`${name} p95`, table === null ? ABSENT : `${ms(table.p95)} ms`, `p50 ${ms(table?.p50)} ms`];
}

/** So many characters fill a card of a phone: what is longer is set smaller there, not broken inside a number. */
const LONG_FIGURE = 10;

function figuresHtml(all: readonly Figure[]): string {
  const items = all.map(
    ([name, value, unit]) =>
      `<div><dt>${escapeHtml(name)}</dt><dd${value.length > LONG_FIGURE ? ' class="long"' : ''}>${escapeHtml(value)}</dd><dd class="unit">${escapeHtml(unit)}</dd></div>`,
  );
  return `<dl class="figures">${items.join('')}</dl>`;
}
