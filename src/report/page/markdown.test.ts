import { describe, expect, it } from 'vitest';
import {
  finding,
  HOSTILE_MODEL,
  measurementOf,
  reconciliation,
  reportInput,
} from '../report.test-support.ts';
import { escapeMarkdown, renderMarkdown } from './markdown.ts';

describe('report.md', () => {
  it('begins with the verdict', () => {
    expect(renderMarkdown(reportInput()).split('\n').slice(0, 5)).toEqual([
      '# Weighbridge run-1',
      '',
      '**42 of 42 charges match the price list.**',
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

it('a finding shows the sum of its call term by term', () => {
  const line = { meter: 'input_token', units: '1000', price: '12.5', per: '1000000', subtotal: '0.0125' };
  const parts = reconciliation([finding()]);
  const calls = parts.calls.map((call) => ({ ...call, lines: [line], charged: '0.025' }));
  const text = renderMarkdown(reportInput({ reconciliation: { ...parts, calls } }));
  expect(text).toContain('1000 input\\_token × $12.5 / 1000000 ($0.0125) = $0.0125 expected, $0.025 charged');
});

it('says where a sum was rounded', () => {
  const line = { meter: 'input_token', units: '1', price: '0.018', per: '1000000', subtotal: '0.000000018' };
  const parts = reconciliation([finding()]);
  const calls = parts.calls.map((call) => ({
    ...call,
    lines: [line, line],
    expected: '0.00000004',
    charged: '0',
  }));
  const text = renderMarkdown(reportInput({ reconciliation: { ...parts, calls } }));
  expect(text).toContain('= $0.000000036, rounded $0.00000004 expected, $0 charged');
});

it('says above the dashes that nothing was measured, and beside each rate what it counts', () => {
  const said = 'Nothing was measured: no call was started in the measured time.';
  const full = measurementOf(['chat']);
  expect(renderMarkdown(reportInput({ measurement: full }))).not.toContain(said);
  const total = { ...full.load.total, started: 0, outcomes: {} };
  const text = renderMarkdown(reportInput({ measurement: { ...full, load: { ...full.load, total } } }));
  expect(text.slice(text.indexOf('## Load'))).toContain(said);
  expect(text).toContain('| starts/s | asked/s | good calls/s |');
  expect(text).toContain('Percentiles interpolate between two values, those of objectives do not.');
});

it('shows why calls failed, per scenario', () => {
  const text = renderMarkdown(reportInput({ measurement: measurementOf(['chat'], 'no | such size') }));
  expect(text).toContain('| chat | 2 | http\\_error | 503 | – | no \\| such size |');
});

describe('escapeMarkdown', () => {
  it('leaves nothing that Markdown or HTML would read', () => {
    expect(escapeMarkdown(HOSTILE_MODEL)).toBe(
      "=cmd\\|'/c x'!\"&lt;/script>&lt;script>alert(1)&lt;/script>\\`\\*\\_\\[x\\](y)\\\\ ",
    );
  });
});

it('shows what calls that were cut on purpose cost, and an upper bound as one', () => {
  const { load, ...rest } = measurementOf(['chat']);
  const cut = {
    outcomes: { ok: 18, aborted: 2 },
    aborted_usd: '0.001',
    usd_per_1000_good: '0.5',
    usd_per_1000_good_at_most: true,
  };
  const kinds = load.kinds.map((kind) => ({ ...kind, ...cut }));
  const text = (changes: Partial<typeof cut>) =>
    renderMarkdown(
      reportInput({
        measurement: { ...rest, load: { ...load, kinds: kinds.map((kind) => ({ ...kind, ...changes })) } },
      }),
    );
  expect(text({})).toContain('Calls cut on purpose: chat 2, charged $0.001.');
  expect(text({})).toContain('| ≤ $0.5 |');
  const unknown = { ...cut, aborted_usd: null };
  const kindsUnknown = load.kinds.map((kind) => ({ ...kind, ...unknown }));
  expect(
    renderMarkdown(reportInput({ measurement: { ...rest, load: { ...load, kinds: kindsUnknown } } })),
  ).toContain('Calls cut on purpose: chat 2, what they cost is not known.');
});
