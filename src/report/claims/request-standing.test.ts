import { expect, test } from 'vitest';
import type { Claim } from '../../contracts/claim.ts';
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

/** As earlier versions made it of a reserve that did not come back in full. */
function onRefund(amount: string, standing: string): Claim {
  return { ...claimOf([recordOf('b', { amount: '0.0040' })]), part: 'refund', amount, standing };
}

test('what a reserve lacks comes back as a refund', () => {
  const claim = onRefund('0.0071', '0.0029');
  expect(back([recordOf('b', { refunded_amount: '0.0051' })], claim)).toBe('0.005');
  expect(back([recordOf('b')], claim)).toBe('0.0071');
});

test('what comes back of a charge is no refund of what its reserve lacks, and the other way round', () => {
  const served = (amount: string, refunded_amount: string) => [recordOf('b', { amount, refunded_amount })];
  const claims = [claimOf(served('0.0040', '0.0055')), onRefund('0.0005', '0.0095')];
  const seen = (amount: string, refunded: string) =>
    claims.map((claim) => [claim.part, claim.amount, back(served(amount, refunded), claim)]);
  expect(seen('0.0040', '0.0055')).toEqual([
    ['charge', '0.0012', null],
    ['refund', '0.0005', null],
  ]);
  // The charge is set right, and the reserve lacks as much as before.
  expect(seen('0.0028', '0.0067').map(([, , credit]) => credit)).toEqual(['0.0012', null]);
  expect(seen('0.0040', '0.0060').map(([, , credit]) => credit)).toEqual([null, '0.0005']);
  expect(seen('0.0028', '0.0072').map(([, , credit]) => credit)).toEqual(['0.0012', '0.0005']);
});
