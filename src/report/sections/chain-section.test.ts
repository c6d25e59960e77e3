import { expect, test } from 'vitest';
import { boughtFor, chained, named, saleOf } from '../../chain/chain.test-support.ts';
import { parseAmount } from '../../core/amount.ts';
import { chainCsv } from '../files/chain-csv.ts';
import { chainFindingWords, chainWords, unjoinedWords } from '../words/chain-words.ts';
import { chainSection } from './chain-section.ts';
import { cellText } from './report-document.ts';

const sold = [
  saleOf('a', { charged: parseAmount('0.0061'), surplus: [parseAmount('0.0033') ?? 0n] }),
  saleOf('b'),
  saleOf('alone'),
  saleOf('lost', { state: 'unrecorded', charged: 0n }),
];
const bought = [
  boughtFor('a'),
  boughtFor('b', { model: 'text-2' }),
  boughtFor('lost'),
  boughtFor('x', { input: 7 }),
];
const result = chained(sold, bought);

test('the section shows the sum, each finding with its warrant, and what stands alone', () => {
  const shown = chainSection(result).blocks.map((block) =>
    block.type === 'table'
      ? block.table.rows.map((row) => row.map(cellText).join(' | ')).join('\n')
      : block.type === 'text'
        ? block.text
        : '',
  );
  expect(shown[0]).toBe(
    'revenue $0.0117 − cost $0.008 = margin $0.0049 + sold alone $0.0028 − bought alone $0.004.',
  );
  const text = shown.join('\n');
  for (const words of [
    'doubly billed | 2026-11-20 | text-1 | $0.0033 | strong',
    'unbilled | 2026-11-20 | text-1 | $0.002 | proved',
    'sold as another model | 2026-11-20 | text-1 | $0.0028 | strong',
    'document: the record of the sale and the bill of the provider',
    'bought: no call or record of these books is its own: sold to others, or unbilled | 1 | $0.002',
    'Sold without a purchase: $0.0028.',
    'text-1 | text-2 | 1 | $0.0028 | $0.002',
    'id of the request or answer | 3 | 3',
    'all |  | 3 | 4 | $0.0117 | $0.008 | $0.0049 | $0.0028 | $0.004',
  ])
    expect(text).toContain(words);
});

test('findings in words, by class with what hangs on them', () => {
  expect(chainWords(result)).toContain('= margin $0.0049 +');
  expect(chainFindingWords(result.findings)).toBe(
    '1 call unbilled ($0.002), 1 call doubly billed ($0.0033), 1 call sold as another model ($0.0028)',
  );
});

test('chain.csv has a line for each day and model, and its columns add up', () => {
  const [head, ...lines] = chainCsv(result.lines).trimEnd().split('\r\n');
  expect(head).toBe(
    'day,model,sales,purchases,revenue,cost,margin,sold_alone,bought_alone,unbilled,doubly_billed,retried',
  );
  expect(lines).toEqual(['2026-11-20,text-1,3,4,0.0117,0.008,0.0049,0.0028,0.004,0.002,0.0033,0']);
});

test('there is no conclusion where nothing is joined, or an amount is not known', () => {
  expect(unjoinedWords(result)).toBeNull();
  expect(unjoinedWords(chained([saleOf('a')], [boughtFor('x', { input: 1 })]))).toContain('could be joined');
  expect(unjoinedWords(chained([saleOf('a')], []))).toContain('holds no call');
  expect(unjoinedWords(chained([], []))).toBe('there is no record of a sale');
  expect(unjoinedWords(chained([saleOf('a')], [boughtFor('a', { cost: null })]))).toContain('1 purchase');
  expect(unjoinedWords(chained([saleOf('a', { charged: null })], [boughtFor('a')]))).toContain('1 sale');
});

test('of many lines the first are shown, and the sum of all', () => {
  const many = named(70);
  const section = chainSection(
    chained(
      many.map((name) => saleOf(name, { model: name })),
      many.map((name) => boughtFor(name, { model: name })),
    ),
  );
  const rows = section.blocks.flatMap((block) => (block.type === 'table' ? [block.table.rows] : []));
  const sums = rows.find((each) => each.length === 62);
  expect(sums?.at(-2)?.map(cellText)).toEqual([
    '10 lines more',
    'chain.csv has all',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
  ]);
  expect(sums?.at(-1)?.map(cellText).slice(0, 4)).toEqual(['all', '', '70', '70']);
});
