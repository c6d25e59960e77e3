import { expect, test } from 'vitest';
import type { Claim } from '../../core/claim.ts';
import { judge, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { billRows } from '../rows/bill-row.ts';
import { claimable } from './claimable.ts';
import { creditSeen, requestStanding } from './request-standing.ts';

const TWICE = recordOf('b', { id: 'rec-b2' });

function judged(records: readonly unknown[]) {
  return judge({ rows: [textRow('b')], sweeps: [{ records }] });
}

function claimOf(records: readonly unknown[]) {
  const [claimed] = claimable('run', judged(records)).claims;
  if (claimed === undefined) throw new Error('nothing is claimed');
  return claimed.claim;
}

/** What later records show of the claim on a call that was charged twice. */
function back(records: readonly unknown[], claim = claimOf([recordOf('b'), TWICE])): string | null {
  return creditSeen(claim, requestStanding(billRows('run', judged(records)))(claim));
}

test('a refund, a smaller amount and a later entry of the request come back, the same records do not', () => {
  expect(back([recordOf('b'), TWICE])).toBeNull();
  expect(
    back([recordOf('b'), { ...TWICE, billing_status: 'refunded', amount: '0', refunded_amount: '0.01' }]),
  ).toBe('0.0028');
  expect(back([recordOf('b'), { ...TWICE, amount: '0.0020', refunded_amount: '0.008' }])).toBe('0.0008');
  const entry = recordOf('b', {
    id: 'rec-b3',
    amount: '-0.0028',
    reserved_amount: '0',
    refunded_amount: '0',
  });
  expect(back([recordOf('b'), TWICE, entry])).toBe('0.0028');
});

test('no more than the claim comes back', () => {
  const gone = [recordOf('b'), TWICE].map((record) => ({
    ...record,
    billing_status: 'refunded',
    amount: '0',
    refunded_amount: '0.01',
  }));
  expect(back(gone)).toBe('0.0028');
});

test('a record that is out of sight, or cannot be read, shows nothing', () => {
  expect(back([recordOf('b')])).toBeNull();
  expect(back([])).toBeNull();
  expect(back([recordOf('b'), { ...TWICE, amount: 'none' }])).toBeNull();
});

test('a claim on a refund that an earlier version made is followed by what comes back of the reserve', () => {
  const claim: Claim = {
    ...claimOf([recordOf('b'), TWICE]),
    part: 'refund',
    amount: '0.0071',
    standing: '0.0029',
  };
  const own = { ...claim, records: claim.records.filter(({ id }) => id === 'rec-b') };
  expect(back([recordOf('b', { refunded_amount: '0.0051' })], own)).toBe('0.005');
  expect(back([recordOf('b')], own)).toBe('0.0071');
});
