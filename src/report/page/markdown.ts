import { visibleControls } from '../../text/visible-controls.ts';
import {
  type Block,
  cellText,
  type Section,
  type Table,
  table,
  type WaterfallStep,
} from '../sections/report-document.ts';
import { type ReportInput, reportSections } from '../sections/report-sections.ts';
import { periodText, signedUsd, usd } from '../words/figure-text.ts';
import {
  clientWords,
  guessLines,
  headline,
  moneyWords,
  roundingWords,
  trafficWords,
  wasToDrive,
} from '../words/verdict-words.ts';

/** report.md */
export function renderMarkdown(input: ReportInput): string {
  const { result } = input;
  const rounding = roundingWords(result);
  const top = [
    `# Weighbridge ${escapeMarkdown(result.run_id)}`,
    `**${escapeMarkdown(headline(result).text)}**`,
    ...(result.bill === 'none' ? [] : [`- Money: ${escapeMarkdown(moneyWords(result))}`]),
    ...guessLines(result).map((words) => `- Assumption: ${escapeMarkdown(words)}`),
    ...(rounding === null ? [] : [`- Price list: ${escapeMarkdown(rounding)}`]),
    ...trafficWords(result).map(([name, words]) => `- ${name}: ${escapeMarkdown(words)}`),
    ...(wasToDrive(result) ? [`- Measurement: ${escapeMarkdown(clientWords(result.client))}`] : []),
    `- Target: ${escapeMarkdown(result.target)}${result.period === null ? '' : `, ${periodText(result.period)}`}`,
  ];
  const [title, verdict, ...facts] = top;
  const { main, evidence } = reportSections(input);
  const sections = [...main, ...evidence];
  return `${[title, verdict, facts.join('\n'), ...sections.flatMap(markdownSection)].join('\n\n')}\n`;
}

/** Text that Markdown shows as it is: model ids hold `*`, `_`, `|`, `<` and quotes. */
export function escapeMarkdown(value: string): string {
  return visibleControls(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_[\]|~#]/g, '\\$&')
    .replaceAll(/\s+/g, ' ');
}

function escapeCell(value: string): string {
  return value.split('\n').map(escapeMarkdown).join('<br>');
}

export function markdownSection({ title, blocks }: Section): readonly string[] {
  const parts = blocks.flatMap(renderBlock);
  return parts.length === 0 ? [] : [`## ${title}`, ...parts];
}

function renderBlock(block: Block): readonly string[] {
  switch (block.type) {
    case 'text':
      return [escapeMarkdown(block.text)];
    case 'heading':
      return [`### ${escapeMarkdown(block.text)} (${escapeMarkdown(block.code)})`];
    case 'list':
      return [block.items.map((item) => `- ${escapeMarkdown(item)}`).join('\n')];
    case 'code':
      return [['```sh', block.text.replaceAll('```', "'''"), '```'].join('\n')];
    case 'table':
      return [renderTable(block.table)];
    case 'fold':
      return [escapeMarkdown(block.summary), ...block.blocks.flatMap(renderBlock)];
    case 'waterfall':
      return renderBlock(waterfallTable(block.steps));
    case 'bars':
    case 'intervals':
    case 'curve':
    case 'copy':
    case 'charts':
      return [];
  }
}

function renderTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => escapeMarkdown(title))),
    line(columns.map(({ numeric }) => (numeric ? '---:' : '---'))),
    ...rows.map((row) => line(row.map((cell) => escapeCell(cellText(cell))))),
  ].join('\n');
}

/** The figures of a waterfall, which is what stands beside its picture and in its place. */
function waterfallTable(steps: readonly WaterfallStep[]): Extract<Block, { type: 'table' }> {
  return table(
    ['from expected to charged', '#USD'],
    steps.map(({ label, role, amount }) => [label, role === 'sum' ? `${usd(amount)}` : signedUsd(amount)]),
  );
}
