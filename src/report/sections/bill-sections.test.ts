import { expect, test } from 'vitest';
import { coverageOf, moneyOf } from '../../contracts/reconciliation.test-support.ts';
import { renderHtml } from '../page/report-html.ts';
import { finding, reconciliation, reportInput } from '../report.test-support.ts';
import { causesOf } from './causes.ts';
import { findingsSection } from './findings-section.ts';
import { markupText } from './markup-section.ts';
import { coverageBlocks, exercisedBlocks, matchingBlocks, moneyByBlocks } from './money-by-blocks.ts';
import { openMoneyBlocks } from './money-section.ts';
import { type Block, cellText } from './report-document.ts';
import { rowFindings } from './row-findings.ts';
import { undecidedSection } from './undecided-section.ts';

function rowsOf(blocks: readonly Block[]): readonly (readonly string[])[] {
  return blocks.flatMap((block) =>
    block.type === 'table' ? block.table.rows.map((row) => row.map(cellText)) : [],
  );
}

test('the suspense account opens, adds, clears and closes', () => {
  const blocks = openMoneyBlocks(
    moneyOf({
      aging: [
        { bucket: '0-2 min', calls: 0, lo: '0', hi: '0' },
        { bucket: '1-24 h', calls: 2, lo: '0.1', hi: null },
      ],
      suspense: {
        opening: { items: 3, amount: '0.3' },
        added: { items: 1, amount: '0.2' },
        cleared: { items: 2, amount: null },
        closing: { items: 2, amount: '0.4' },
      },
    }),
  );
  expect(rowsOf(blocks)).toEqual([
    ['1-24 h', '2', '$0.1', '–'],
    ['opening', '3', '$0.3'],
    ['+ added', '1', '$0.2'],
    ['− cleared', '2', '–'],
    ['= closing', '2', '$0.4'],
  ]);
});

test('sections of empty facts do not show', () => {
  expect(openMoneyBlocks(moneyOf())).toEqual([]);
  expect(moneyByBlocks(moneyOf())).toEqual([]);
  expect(matchingBlocks([])).toEqual([]);
  expect(exercisedBlocks(coverageOf())).toEqual([]);
  expect(findingsSection(reconciliation())).toBeNull();
});

test('what was not checked stands with its reason, and until when it may change', () => {
  const coverage = coverageOf({
    to_the_digit: 0.5,
    within_bounds: 0.25,
    not_checkable: 0.25,
    provisional: 0,
    basis: { client: 0.2, record: 0.3 },
    consistent: 0.25,
    not_checkable_why: [{ why: 'the model has no price', share: 0.25, calls: 7 }],
    provisional_until: '2026-11-20T12:15:00.000Z',
  });
  const blocks = coverageBlocks(coverage);
  const { result } = reportInput({ reconciliation: { ...reconciliation(), coverage } });
  const open = rowsOf(undecidedSection(result).blocks).map((row) => row.slice(0, 3));
  expect(open).toContainEqual(['the charge of 7 calls', 'the model has no price', '25 % of charged USD']);
  expect(open).toContainEqual(['the last digits of charges', expect.any(String), '25 % of charged USD']);
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  expect(texts).toContain(
    '30 % of the charged USD was checked to the digit against the tokens of the records',
  );
  expect(texts).toContain('25 % equals prices');
  expect(texts).toContain('Provisional until 2026-11-20T12:15:00.000Z.');
});

test('rows beneath a finding over many are counted once', () => {
  const hypothesis = { name: 'cache_counted_twice', fit: 2, of: 3 };
  const parent = finding({
    id: 'g',
    delta_exact: '0.03',
    rows: 2,
    bridge: 'none',
    hypothesis,
    request_id: null,
  });
  const children = ['a', 'b'].map((id) =>
    finding({ id, group: 'g', delta_exact: '0.015', request_id: `req-${id}` }),
  );
  const all = [parent, ...children];
  expect(rowFindings(all)).toEqual(children);
  expect(causesOf(all)).toMatchObject([{ head: { id: 'g' }, rows: 2, sum: '0.03' }]);
  const said = JSON.stringify(findingsSection(reconciliation(all))?.blocks);
  expect(said).toContain('1. Billed twice: 2 rows, +$0.03');
  expect(said).toContain('Explanation that fits 2 of 3 rows: cache_counted_twice.');
});

test('causes stand by what they cost, whichever their side, one example each and their rows folded', () => {
  const of = (id: string, rule: string, delta: string) =>
    finding({ id, rule, delta_exact: delta, delta_min: delta, delta_max: delta, request_id: `req-${id}` });
  const all = [
    of('a', 'small', '0.001'),
    of('b', 'large', '-0.5'),
    of('c', 'mean', '0.1'),
    of('d', 'mean', '0.2'),
  ];
  expect(causesOf(all).map(({ sum }) => sum)).toEqual(['-0.5', '0.3', '0.001']);
  const blocks = findingsSection(reconciliation(all))?.blocks ?? [];
  const headings = blocks.flatMap((block) => (block.type === 'heading' ? [block.text] : []));
  expect(headings).toEqual([
    '1. Billed twice: 1 row, -$0.5',
    '2. Billed twice: 2 rows, +$0.3',
    '3. Billed twice: 1 row, +$0.001',
  ]);
  expect(blocks.filter((block) => block.type === 'fold' && block.open)).toEqual([]);
  const examples = blocks.flatMap((block) =>
    block.type === 'text' && block.text.startsWith('Example: ') ? [block.text] : [],
  );
  // The dearest of its cause.
  expect(examples[1]).toMatch(/^Example: req-d/);
});

test('long tables of models end in the sum of the others', () => {
  const by_model = Array.from({ length: 40 }, (_, index) => ({
    model: `m${index}`,
    calls: 1,
    charged: '0.1',
    expected: index === 39 ? null : '0.1',
    difference: '0',
    open: '0',
  }));
  const rows = rowsOf(moneyByBlocks(moneyOf({ by_model })));
  expect(rows).toHaveLength(30);
  expect(rows.at(-1)).toEqual(['11 others', '11', '$1.1', '–', '$0', '$0']);
});

test.each([
  ['1.2', '1', '+20.00 %'],
  ['1', '1.5', '-33.33 %'],
  ['1', '1', '0.00 %'],
  ['1', '0', '–'],
  ['1.00005', '1', '+0.01 %'],
])('%s at a list price of %s is %s', (charged, atList, text) => {
  expect(markupText(charged, atList)).toBe(text);
});

test('a page over 100,000 findings stays below 1.5 MB and says how many it leaves out', () => {
  const findings = Array.from({ length: 100_000 }, (_, index) =>
    finding({ id: `f${index}`, request_id: `r${index}`, call_id: `c${index}`, next_step: `claim ${index}` }),
  );
  const judged = reconciliation([]);
  const [call] = judged.calls;
  if (call === undefined) throw new Error('no call');
  const calls = findings.map(({ call_id, request_id }) => ({ ...call, call_id, request_id }));
  const [group] = reconciliation(findings.slice(0, 1)).groups;
  const groups = group === undefined ? [] : [{ ...group, count: findings.length }];
  const html = renderHtml(reportInput({ reconciliation: { ...judged, calls, findings, groups } }));
  expect(Buffer.byteLength(html)).toBeLessThan(1_500_000);
  expect(html).toContain('The 200 dearest of 100000 rows; findings.csv has all.');
});
