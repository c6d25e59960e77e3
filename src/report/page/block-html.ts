import { parseAmount } from '../../core/amount.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import type {
  Block,
  Cell,
  Column,
  Section,
  StackedBars,
  Table,
  WaterfallStep,
} from '../sections/report-document.ts';
import { ABSENT, ms, signedUsd, usd } from '../words/figure-text.ts';
import { chartTabsHtml } from './chart-tabs-html.ts';
import type { ChartData } from './charts.ts';
import { curveHtml } from './curve-html.ts';
import { intervalBarsHtml } from './interval-bars.ts';

export function sectionHtml({ id, title, blocks }: Section, charts: ChartData | null): string {
  return `<section id="${id}">\n<h2>${escapeHtml(title)}</h2>\n${blocksHtml(blocks, title, charts)}\n</section>`;
}

/** A section that stays closed until it is wanted. */
export function foldedSectionHtml({ id, title, blocks }: Section): string {
  return `<details id="${id}"><summary><h3>${escapeHtml(title)}</h3></summary>\n${blocksHtml(blocks, title, null)}\n</details>`;
}

/** A table is named by the text that stands before it. */
function blocksHtml(blocks: readonly Block[], title: string, charts: ChartData | null): string {
  return blocks
    .map((block, index) => {
      const before = blocks[index - 1];
      return blockHtml(block, before?.type === 'text' ? before.text : title, charts);
    })
    .join('\n');
}

function blockHtml(block: Block, name: string, charts: ChartData | null): string {
  switch (block.type) {
    case 'text':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'heading':
      return `<h3>${escapeHtml(block.text)} <code>${escapeHtml(block.code)}</code></h3>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
    case 'code':
      return `<pre tabindex="0">${escapeHtml(block.text)}</pre>`;
    case 'table':
      return tableHtml(block.table, name);
    case 'fold':
      return `<details${block.open ? ' open' : ''}><summary>${escapeHtml(block.summary)}</summary>\n${blocksHtml(block.blocks, block.summary, charts)}\n</details>`;
    case 'waterfall':
      return waterfallHtml(block.steps);
    case 'bars':
      return stackedBarsHtml(block.bars);
    case 'intervals':
      return intervalBarsHtml(block.figures, name);
    case 'curve':
      return curveHtml(block.curve);
    case 'copy':
      return `<p class="screen"><button type="button" class="copy" data-copy="${escapeHtml(block.text)}">${escapeHtml(block.label)}</button></p>`;
    case 'charts':
      return charts === null ? '' : chartTabsHtml(charts);
  }
}

/** From so many rows up a reader looks for one. */
const FILTER_FROM = 12;

/** A table in a box of its own that scrolls; the page's script lets its columns be sorted and its rows filtered. */
function tableHtml({ columns, rows, totals }: Table, name: string): string {
  const head = columns
    .map((column) => `<th scope="col"${look(column)}>${escapeHtml(column.title)}</th>`)
    .join('');
  const split = rows.length - totals;
  const filter = split >= FILTER_FROM ? ' data-filter' : '';
  return `<div class="wide" role="group" tabindex="0" aria-label="${escapeHtml(name)}"><table${filter}>
<thead><tr>${head}</tr></thead>
<tbody>
${rowsHtml(rows.slice(0, split), columns)}
</tbody>${totals === 0 ? '' : `\n<tfoot>\n${rowsHtml(rows.slice(split), columns)}\n</tfoot>`}</table></div>`;
}

function rowsHtml(rows: Table['rows'], columns: readonly Column[]): string {
  return rows
    .map((row) => `<tr>${row.map((cell, index) => cellHtml(cell, columns[index])).join('')}</tr>`)
    .join('\n');
}

function cellHtml(cell: Cell, column: Column | undefined): string {
  if (typeof cell !== 'string') {
    const shown = `<span title="${escapeHtml(cell.exact)}">${escapeHtml(cell.text)}</span>`;
    return `<td${column === undefined ? '' : look(column)}>${shown}</td>`;
  }
  if (column === undefined) return `<td>${linesHtml(cell)}</td>`;
  if (!column.copied || cell === ABSENT) return `<td${look(column)}>${linesHtml(cell)}</td>`;
  const ids = cell
    .split('\n')
    .map((id) => escapeHtml(id))
    .map(
      (id) => `<button type="button" class="id" data-copy="${id}" title="Copy"><code>${id}</code></button>`,
    );
  return `<td class="ids">${ids.join('<br>')}</td>`;
}

function look({ numeric }: Column): string {
  return numeric ? ' class="number"' : '';
}

function linesHtml(cell: string): string {
  return escapeHtml(cell).replaceAll('\n', '<br>');
}

interface Bar extends WaterfallStep {
  /** From where to where on the scale of the sums, in whole pico-USD. */
  readonly from: bigint;
  readonly to: bigint;
}

/** The scale is cut where the changes would be a hair at the end of two equal bars. */
const CUT_BELOW = 0.3;

/** Rows of label, bar and amount. Floats place the bars; every figure is the exact text. */
function waterfallHtml(steps: readonly WaterfallStep[]): string {
  const bars = barsOf(steps);
  const ends = bars.flatMap(({ from, to }) => [from, to]).sort((left, right) => (left < right ? -1 : 1));
  const least = Number(ends[0] ?? 0n);
  const most = Number(ends.at(-1) ?? 0n);
  const changed = bars
    .filter(({ role }) => role === 'change')
    .flatMap(({ from, to }) => [from, to])
    .map(Number);
  const width = changed.length === 0 ? most : Math.max(...changed) - Math.min(...changed);
  const cut = changed.length > 0 && least >= 0 && width < CUT_BELOW * most;
  const begin = cut ? Math.max(0, Math.min(...changed) - width) : least;
  const place = (value: bigint) =>
    `${share((Math.max(Number(value), begin) - begin) / (most - begin || 1))}%`;
  const rows = bars.map(({ label, role, amount, from, to }) => {
    const [left, right] = from < to ? [from, to] : [to, from];
    const look = role === 'sum' ? (cut ? 'sum cut' : 'sum') : amount.startsWith('-') ? 'less' : 'more';
    const bar = `<div class="bar ${look}" style="left:${place(left)};right:calc(100% - ${place(right)})"></div>`;
    const figure = role === 'sum' ? usd(amount) : signedUsd(amount);
    return `<tr><th scope="row">${escapeHtml(label)}</th><td class="track"><div>${bar}</div></td><td class="number">${escapeHtml(figure)}</td></tr>`;
  });
  const note = cut ? '<p class="note">The scale does not begin at 0: the changes would not be seen.</p>' : '';
  return `<table class="fall"><thead><tr><th scope="col">step</th><th scope="col">bar</th><th scope="col" class="number">USD</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>${note}`;
}

function barsOf(steps: readonly WaterfallStep[]): readonly Bar[] {
  let sum = 0n;
  return steps.map((step) => {
    const amount = parseAmount(step.amount);
    if (amount === null) throw new RangeError(`waterfall: ${JSON.stringify(step.amount)} is no amount`);
    const from = step.role === 'sum' ? 0n : sum;
    sum = step.role === 'sum' ? amount : sum + amount;
    return { ...step, from, to: sum };
  });
}

/** Per cent with two decimals: nothing finer can be seen. */
function share(value: number): string {
  return (value * 100).toFixed(2);
}

const COLORS = 6;

/** Bars of parts, for the eye only: the table beneath tells the same. */
function stackedBarsHtml({ unit, rows }: StackedBars): string {
  const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const colorOf = (name: string) => `var(--c${(names.indexOf(name) % COLORS) + 1})`;
  const most = Math.max(0, ...rows.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const key = names.map(
    (name) => `<span><i style="background:${colorOf(name)}"></i>${escapeHtml(name)}</span>`,
  );
  const bars = rows.map(({ label, parts }) => {
    const pieces = parts.map(
      ({ name, value }) =>
        `<div style="width:${((value / (most || 1)) * 100).toFixed(2)}%;background:${colorOf(name)}" title="${escapeHtml(`${name} ${ms(value)}`)}"></div>`,
    );
    return `<div class="bar-label">${escapeHtml(label)}</div><div class="bar-track">${pieces.join('')}</div>`;
  });
  return `<div class="stacked" aria-hidden="true"><div class="key">${key.join('')}<span>${escapeHtml(unit)}</span></div>${bars.join('\n')}</div>`;
}
