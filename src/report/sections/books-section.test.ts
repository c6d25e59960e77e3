import { expect, test } from 'vitest';
import { type CoverageSetting, shownSetting } from '../../contracts/coverage-result.ts';
import { flagOf } from '../words/kept-words.ts';
import { booksSection } from './books-section.ts';

function row(changes: Partial<CoverageSetting>): readonly unknown[] {
  const setting = shownSetting({
    ...{ name: 'amount_meaning', value: 'net', evidence: '3 tell', basis: 'records' },
    ...changes,
  });
  const table = booksSection([setting])?.blocks.flatMap((block) =>
    block.type === 'table' ? [block.table] : [],
  );
  return table?.[0]?.rows[0] ?? [];
}

test('a row has its point with the name of the flag, reading, basis, evidence, what another reading changes', () => {
  expect(row({ example: 'record:r1', changes: '0' })).toEqual([
    'Is a refund taken off the amount\namount',
    'yes (net)',
    'records that tell',
    '3 tell (record:r1)',
    'nothing',
  ]);
  expect(row({ also: ['gross'], changes: '0.5', basis: 'assumed' })).toEqual([
    'Is a refund taken off the amount\namount',
    'cannot be told: yes (net) or no (gross)',
    'assumed',
    '3 tell',
    '$0.5',
  ]);
  expect(row({ name: 'status_on "hold"', value: 'pending or unknown', basis: 'word' })).toEqual([
    'The status "on \\"hold\\""\nstatus.on "hold"',
    'open or not told',
    'the usual sense of the word',
    '3 tell',
    '',
  ]);
});

test('what is no reading of the books is no row, and without rows there is no section', () => {
  expect(booksSection([shownSetting({ name: 'judged_together', value: '3', evidence: '' })])).toBeNull();
});

test('the flag that reads a point otherwise is one that is taken', () => {
  expect(['cut_stream', 'input_includes_cache', 'request_id'].map((name) => flagOf({ name }))).toEqual([
    'aborted',
    'input_tokens',
    null,
  ]);
});
