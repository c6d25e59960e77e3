import type { Block, Cell, Section } from '../report-document.ts';

/**
 * A section whose texts were masked while they are plain: once a form has escaped them (`sk-under\_score`), nothing finds a
 * key in them whole.
 */
export function maskedSection({ id, title, blocks }: Section, mask: (text: string) => string): Section {
  return { id, title: mask(title), blocks: blocks.map((block) => maskedBlock(block, mask)) };
}

function maskedCell(cell: Cell, mask: (text: string) => string): Cell {
  return typeof cell === 'string' ? mask(cell) : { text: mask(cell.text), exact: mask(cell.exact) };
}

function maskedBlock(block: Block, mask: (text: string) => string): Block {
  switch (block.type) {
    case 'text':
    case 'code':
      return { ...block, text: mask(block.text) };
    case 'copy':
      return { ...block, label: mask(block.label), text: mask(block.text) };
    case 'list':
      return { ...block, items: block.items.map(mask) };
    case 'table':
      return {
        ...block,
        table: {
          ...block.table,
          rows: block.table.rows.map((row) => row.map((cell) => maskedCell(cell, mask))),
        },
      };
    case 'fold': {
      const blocks = block.blocks.map((inner) => maskedBlock(inner, mask));
      return { ...block, summary: mask(block.summary), blocks };
    }
    case 'waterfall':
      return { ...block, steps: block.steps.map((step) => ({ ...step, label: mask(step.label) })) };
    case 'bars': {
      const rows = block.bars.rows.map((row) => ({ ...row, label: mask(row.label) }));
      return { ...block, bars: { ...block.bars, rows } };
    }
    case 'intervals':
    case 'charts':
      return block;
  }
}
