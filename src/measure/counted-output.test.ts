import { expect, it } from 'vitest';
import type { Plan } from '../contracts/plan.ts';
import { withOutputTokens } from './counted-output.ts';
import { callRow, planOf, scenarioPlan } from './ledger.test-support.ts';
import { measure } from './measure.ts';

const usage = { input: 10, output: 5, cache_read: null, cache_write: null, reasoning: null, raw: null };

function loadOf(rows: readonly ReturnType<typeof callRow>[], tokenizer?: Plan['tokenizer']) {
  const plan = { ...planOf([scenarioPlan()]), ...(tokenizer === undefined ? {} : { tokenizer }) };
  return measure({ plan, rows, states: [], window: null, cores: 1, costs: null }).load;
}

it('puts own counts in place of those of the server, and nothing where there is none', () => {
  const rows = [
    callRow(0, { call_id: 'a', usage }),
    callRow(1, { call_id: 'b', usage: null }),
    callRow(2, { call_id: 'c', usage }),
    callRow(3, { call_id: 'd', usage: null }),
    callRow(4, { call_id: 'e', kind: 'image', usage }),
  ];
  const counted = withOutputTokens(
    rows,
    new Map([
      ['a', 7],
      ['b', 8],
    ]),
  );
  expect(counted.map((row) => row.usage && [row.usage.input, row.usage.output])).toEqual([
    [10, 7],
    [null, 8],
    [10, null],
    null,
    [10, 5],
  ]);
});

it('tells who counted and of how many answers, and no sum of input that is not known', () => {
  const rows = [
    callRow(0, { usage }),
    callRow(9, { usage: { ...usage, input: null } }),
    callRow(18, { usage: null }),
  ];
  const load = loadOf(rows, { file: '/models/small/tokenizer.json', sha256: '' });
  expect(load.output_tokens).toEqual({ by: 'tokenizer.json', known: 2, of: 3 });
  expect(load.total.tokens).toEqual({ input: null, output: 10 });
  expect(loadOf(rows, 'o200k').output_tokens?.by).toBe('o200k');
  expect(loadOf(rows)).not.toHaveProperty('output_tokens');
});

it('has no tokens where no answer has any: absent, not 0', () => {
  const load = loadOf([callRow(0, { usage: null })], 'server');
  expect(load.output_tokens).toEqual({ by: 'server', known: 0, of: 1 });
  expect(load.total.tokens).toBeNull();
});

it('names the server where there is no bill and nobody said who counts', () => {
  const plan = planOf([scenarioPlan()]);
  const target = { ...plan.target, bill: 'none' } as const;
  const { load } = measure({
    plan: { ...plan, target },
    rows: [callRow(0, { usage: null })],
    states: [],
    window: null,
    cores: 1,
    costs: null,
  });
  expect(load.output_tokens).toEqual({ by: 'server', known: 0, of: 1 });
});
