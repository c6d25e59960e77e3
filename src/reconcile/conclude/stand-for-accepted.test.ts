import { expect, test } from 'vitest';
import { inputOf, recordOf } from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import { type AcceptedSums, NOTHING_ACCEPTED } from '../records/accepted-sums.ts';
import { textRow } from '../rows.test-support.ts';

const GROUP = { calls: 10, charged: 28_000_000_000n, refunded: 72_000_000_000n };

function accepted(changes: Partial<AcceptedSums> = {}): AcceptedSums {
  return {
    ...NOTHING_ACCEPTED,
    witnesses: ['call-a'],
    groups: [{ witness: 'call-a', ...GROUP }],
    ...changes,
  };
}

const world = (amount: string) =>
  inputOf({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a', { amount })] }] });

test('a witness stands for those that are like it', () => {
  const { money, coverage, matching } = reconcile({ ...world('0.0028'), accepted: accepted() });
  expect(money).toMatchObject({
    charged: '0.0308',
    expected: '0.0308',
    difference: '0',
    refunded: '0.0792',
    records: 11,
  });
  expect(money.by_model).toMatchObject([{ calls: 11, charged: '0.0308' }]);
  expect(matching).toMatchObject([{ pass: 'request_id', pairs: 11, charged: '0.0308' }]);
  expect(coverage.to_the_digit).toBe(1);
  expect(coverage.exercised).toContainEqual({
    kind: 'format_outcome',
    model: null,
    line: 'chat ok',
    seen: 11,
  });
  expect(coverage.classes.find((each) => each.class === 'amount_mismatch')?.checked).toBe(11);
});

test.each([
  ['whose charge is wrong', '0.0029', {}],
  ['that is not among the rows', '0.0028', { witnesses: ['call-a', 'call-b'] }],
])('a witness %s contradicts what was accepted', (_, amount, changes) => {
  expect(() => reconcile({ ...world(amount), accepted: accepted(changes) })).toThrowError(
    expect.objectContaining({ code: 'acceptance_contradicted' }),
  );
});
