import { escapeHtml } from '../../../text/escape-html.ts';

export interface PageColumn {
  readonly title: string;
  readonly numeric?: true;
}

export interface Row {
  /** Markup already; the row is named by the first one. */
  readonly cells: readonly string[];
  /** Nothing in it asks for a reader: one line of it is enough on a phone. */
  readonly calm?: boolean;
}

export function pageTable(caption: string, columns: readonly PageColumn[], rows: readonly Row[]): string {
  const number = (column: PageColumn | undefined) => (column?.numeric === true ? ' class="number"' : '');
  const head = columns
    .map((column) => `<th role="columnheader" scope="col"${number(column)}>${escapeHtml(column.title)}</th>`)
    .join('');
  const body = rows.map(
    ({ cells, calm }) =>
      `<tr role="row"${calm === true ? ' class="calm"' : ''}>${cells.map((cell, index) => tableCell(cell, index, columns[index])).join('')}</tr>`,
  );
  // Laid out as cards on a phone, which takes a table its roles in some browsers: they are named.
  return `<table role="table">
<caption>${escapeHtml(caption)}</caption>
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">
${body.join('\n')}
</tbody></table>`;

  function tableCell(cell: string, index: number, column: PageColumn | undefined): string {
    if (index === 0) return `<th role="rowheader" scope="row">${cell}</th>`;
    return `<td role="cell" data-title="${escapeHtml(column?.title ?? '')}"${number(column)}><div>${cell}</div></td>`;
  }
}
