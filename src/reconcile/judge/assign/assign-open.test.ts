import { expect, test } from 'vitest';
import { formatInstant } from '../../../core/time.ts';
import { cutRow, judge, recordOf, START_MS, START_S, textRow } from '../../reconcile.test-support.ts';

function cutAt(name: string, second: number) {
  return cutRow(name, {
    request_id: null,
    request_ids: [],
    started_at: formatInstant(START_MS + second * 1000),
  });
}

const matches = (seconds: readonly number[], created: readonly number[]) =>
  judge({
    rows: seconds.map((second, index) => cutAt(`${index}`, second)),
    sweeps: [
      { records: created.map((second, index) => recordOf(`r${index}`, { created_at: START_S + second })) },
    ],
  }).calls.map(({ match, record_ids }) => `${match} ${record_ids.join('+')}`);

test('cut calls far apart are given the records near them', () => {
  expect(matches([0, 60], [60, 0])).toEqual(['assignment rec-r1', 'assignment rec-r0']);
});

test('cut calls of one moment are left to their sum', () => {
  expect(matches([0, 0], [0, 1])).toEqual(['cluster rec-r0+rec-r1', 'cluster rec-r0+rec-r1']);
});

test('a record that cannot be the charge of the near call goes to no call', () => {
  const { calls } = judge({
    rows: [cutAt('a', 0), cutAt('b', 60)],
    sweeps: [
      {
        records: [
          recordOf('dear', { amount: '9', reserved_amount: '9', refunded_amount: '0' }),
          recordOf('right', { created_at: START_S + 60 }),
        ],
      },
    ],
  });
  expect(calls.find(({ call_id }) => call_id === 'call-b')?.record_ids).toEqual(['rec-right']);
  expect(calls.find(({ call_id }) => call_id === 'call-a')?.record_ids).toEqual([]);
});

test('of calls that told their usage a record with other tokens in both counts is not given to any', () => {
  const row = (name: string, second: number) =>
    textRow(name, {
      request_id: null,
      request_ids: [],
      started_at: formatInstant(START_MS + second * 1000),
    });
  const other = { input_tokens: 77, output_tokens: 7 };
  const { calls } = judge({
    rows: [row('a', 0), row('b', 60)],
    sweeps: [
      {
        records: [
          recordOf('strange', other),
          recordOf('near', { created_at: START_S + 60, output_tokens: 99 }),
        ],
      },
    ],
  });
  expect(calls.map(({ call_id, match }) => `${call_id} ${match}`)).toEqual([
    'call-a open_intent',
    'call-b assignment',
  ]);
});
