import { describe, expect, it } from 'vitest';
import { escapeMarkdown, renderMarkdown } from './markdown.ts';
import { finding, HOSTILE_MODEL, reconciliation, reportInput } from './report.test-support.ts';

describe('report.md', () => {
  it('begins with the verdict', () => {
    expect(renderMarkdown(reportInput()).split('\n').slice(0, 5)).toEqual([
      '# Weighbridge run-1',
      '',
      '**The bill holds: every charge equals the price book to the last digit.**',
      '',
      '- Money: 100 % checked to the digit · expected $1.2345678 · charged $1.2345678 · difference $0',
    ]);
  });

  it('keeps every table a table, whatever a model is called', () => {
    const text = renderMarkdown(reportInput({ reconciliation: reconciliation([finding()]) }));
    const tables = text
      .trimEnd()
      .split('\n\n')
      .filter((block) => block.startsWith('|'));
    expect(tables.length).toBeGreaterThan(8);
    for (const table of tables) {
      const widths = table.split('\n').map((line) => line.split(/(?<!\\)\|/).length);
      expect(new Set(widths).size).toBe(1);
    }
    expect(text).not.toContain('<script');
  });
});

describe('escapeMarkdown', () => {
  it('leaves nothing that Markdown or HTML would read', () => {
    expect(escapeMarkdown(HOSTILE_MODEL)).toBe(
      "=cmd\\|'/c x'!\"&lt;/script>&lt;script>alert(1)&lt;/script>\\`\\*\\_\\[x\\](y)\\\\ ",
    );
  });
});
