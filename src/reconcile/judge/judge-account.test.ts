import { expect, test } from 'vitest';
import {
  type AccountFigures,
  READ_DEFAULTS,
  READ_SCHEMA,
  type ReadLine,
} from '../../contracts/usage-lines.ts';
import { formatInstant } from '../../core/time.ts';
import { judgeAccount } from './judge-currency.ts';

function readsOf(figures: readonly Partial<AccountFigures>[]): readonly ReadLine[] {
  return figures.map((account, index) => ({
    schema: READ_SCHEMA,
    read: 'account',
    read_at: formatInstant(1_795_176_000_000 + index * 10_000),
    sweep: 0,
    window: null,
    request_id: null,
    cursor: null,
    next_cursor: null,
    has_more: null,
    count: null,
    status: 200,
    sha256: null,
    complete: null,
    reasons: [],
    ...READ_DEFAULTS,
    answer_request_id: `answer-${index}`,
    account: { quota: 1000, used_quota: 0, request_count: index, ...account },
  }));
}

const rules = (figures: readonly Partial<AccountFigures>[]): readonly string[] =>
  judgeAccount(readsOf(figures)).map(({ rule }) => rule);

test.each<[string, readonly Partial<AccountFigures>[], readonly string[]]>([
  ['nothing to compare', [{ used_quota: 5 }], []],
  [
    'consumption leaves the credit',
    [100, 200, 400].map((used_quota) => ({ quota: 1000 - used_quota, used_quota })),
    [],
  ],
  [
    'open reserves lower the credit for a while',
    [
      { quota: 1000 },
      { quota: 800, used_quota: 100 },
      { quota: 750, used_quota: 220 },
      { quota: 600, used_quota: 400 },
    ],
    [],
  ],
  [
    'credit is added',
    [
      { quota: 1000 },
      { quota: 1400, used_quota: 100 },
      { quota: 1300, used_quota: 200 },
      { quota: 1100, used_quota: 400 },
    ],
    [],
  ],
  ['consumption falls', [{ used_quota: 200 }, { used_quota: 150 }], ['counter_fell']],
  ['the number of requests falls', [{ request_count: 7 }, { request_count: 6 }], ['counter_fell']],
  [
    'a tenth more is told than leaves the credit',
    [0, 100, 200, 400].map((used) => ({ quota: 1000 - used, used_quota: used * 1.1 })),
    ['used_and_credit_apart'],
  ],
  [
    'the same over two reads only',
    [0, 100, 200].map((used) => ({ quota: 1000 - used, used_quota: used * 1.1 })),
    [],
  ],
])('%s', (_, figures, expected) => {
  expect(rules(figures)).toEqual(expected);
});

test('what it shows is weak, has no amount and names its reads', () => {
  const [found] = judgeAccount(readsOf([{ used_quota: 200 }, { used_quota: 150 }]));
  expect(found).toMatchObject({
    class: 'account_counter_drift',
    severity: 'S4',
    confidence: 'weak',
    delta_exact: null,
    evidence: ['read:answer-0', 'read:answer-1'],
  });
});

test('what is given back lowers the consumption, never the number of requests', () => {
  const reads = readsOf([{ used_quota: 200 }, { used_quota: 150 }]);
  expect(judgeAccount(reads, true)).toEqual([]);
  const fewer = readsOf([{ request_count: 5 }, { request_count: 4 }]);
  expect(judgeAccount(fewer, true).map(({ rule }) => rule)).toEqual(['counter_fell']);
});
