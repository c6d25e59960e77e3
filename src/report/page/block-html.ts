import { escapeHtml } from '../../core/escape-html.ts';
import type { ChartData } from '../charts.ts';
import type { Block, Section } from '../report-document.ts';
import { chartPlaces } from './chart-places.ts';
import { intervalBarsHtml } from './interval-bars-html.ts';
import { stackedBarsHtml } from './stacked-bars-html.ts';
import { tableHtml } from './table-html.ts';
import { waterfallHtml } from './waterfall-html.ts';

export function sectionHtml({ id, title, blocks }: Section, charts: ChartData | null): string {
  return `<section id="${id}">\n<h2>${escapeHtml(title)}</h2>\n${blocksHtml(blocks, title, charts)}\n</section>`;
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
    case 'copy':
      return `<p class="screen"><button type="button" class="copy" data-copy="${escapeHtml(block.text)}">${escapeHtml(block.label)}</button></p>`;
    case 'charts':
      return charts === null ? '' : chartPlaces(charts, block.of);
  }
}
