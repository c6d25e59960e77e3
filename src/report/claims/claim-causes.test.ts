import { expect, test } from 'vitest';
import { judge, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { aboveLeast } from './claim-causes.ts';
import { claimable } from './claimable.ts';

/** Two charges made twice, together $0.0056; one that is $0.0002 too high. */
const made = claimable(
  'run',
  judge({
    rows: ['a', 'b', 'c'].map((name) => textRow(name)),
    sweeps: [
      {
        records: [
          ...['a', 'b'].flatMap((name) => [recordOf(name), recordOf(name, { id: `rec-${name}2` })]),
          recordOf('c', { amount: '0.0030', refunded_amount: '0.007' }),
        ],
      },
    ],
  }),
);

test('the least amount is asked of a cause, not of its rows; what is below it is named with its sum', () => {
  const { claims, apart } = aboveLeast(made, '0.0056');
  expect(claims.map(({ claim }) => claim.request_id)).toEqual(['req-a', 'req-b']);
  expect(apart).toEqual([
    {
      what: 'small',
      findings: 1,
      lo: '0.0002',
      hi: '0.0002',
      words: '1 cause, each below $0.0056, the least amount that is claimed',
    },
  ]);
  expect(aboveLeast(made, '0.00561').claims).toEqual([]);
  expect(aboveLeast(made, '0.0002')).toBe(made);
  expect(aboveLeast(made, null)).toBe(made);
});
