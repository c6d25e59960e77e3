import { escapeHtml } from '../../core/escape-html.ts';
import { ABSENT } from '../figure-text.ts';
import type { Cell, Column, Table } from '../report-document.ts';

/** From so many rows up a reader looks for one. */
const FILTER_FROM = 12;

/** A table in a box of its own that scrolls; the page's script lets its columns be sorted and its rows filtered. */
export function tableHtml({ columns, rows, totals }: Table, name: string): string {
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
