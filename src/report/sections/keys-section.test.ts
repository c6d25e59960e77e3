import { expect, it } from 'vitest';
import { moneyOf } from '../../contracts/reconciliation.test-support.ts';
import { reportInput } from '../report.test-support.ts';
import { keyWords } from '../words/key-words.ts';
import { keysSection } from './keys-section.ts';

const ONE = '0d3b560722915d2f';
const TWO = '1460db1b6902f8b1';

function resultOfKeys() {
  const { result } = reportInput();
  const of = { outcomes: {}, ttft: null, e2e: null, tokens: null };
  const keys = [
    { key_fp: ONE, calls: 20, ok: 20, rate_limited: 0, ...of },
    { key_fp: TWO, calls: 20, ok: 13, rate_limited: 7, ...of },
  ];
  const sums = { calls: 20, expected: '0.02', difference: '0', open: '0' };
  const by_key = [{ key_fp: ONE, charged: '0.02', ...sums }];
  const load = result.load && { ...result.load, keys };
  const money = { ...moneyOf({ by_key }), trial_records: 0, retried: null };
  return { load, money };
}

it('tells figures, refusals and money of each key', () => {
  const blocks = keysSection(resultOfKeys())?.blocks ?? [];
  expect(blocks.flatMap((block) => (block.type === 'table' ? [block.table.rows] : []))).toEqual([
    [
      [ONE, '20', '20', '0', '–', '–', '–', '–', '$0.02', '$0.02', '$0'],
      [TWO, '20', '13', '7', '–', '–', '–', '–', '–', '–', '–'],
    ],
  ]);
});

it('says the same in a line, where a key that was not limited is told without a 429', () => {
  expect(keyWords(resultOfKeys())).toEqual([
    '0d3b5607 20 calls, 20 ok, charged $0.02',
    '1460db1b 20 calls, 13 ok, 7 × HTTP 429',
  ]);
});

it('is left out where there is one key', () => {
  const { result } = reportInput();
  expect([keysSection(result), keyWords(result)]).toEqual([null, []]);
});
