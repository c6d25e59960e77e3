import { expect, test } from 'vitest';
import type { Claim } from '../../contracts/claim.ts';
import { judge, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { claimable } from '../../report/claims/claimable.ts';
import type { StoredClaim } from './claims-file.ts';
import { unclaimed } from './keep-claims.ts';

test('a record that another claim holds is not claimed again, whatever request that claim was of', () => {
  const made = {
    run_id: 'run',
    reconciliation: judge({
      rows: [textRow('b')],
      sweeps: [{ records: [recordOf('b'), recordOf('b', { id: 'rec-b2' })] }],
    }),
  };
  const [{ claim } = { claim: null }] = claimable('run', made.reconciliation).claims;
  if (claim === null) throw new Error('no claim');
  const ofSum: Claim = {
    ...claim,
    id: 'sum',
    request_id: null,
    records: [{ request_id: 'req-b', id: 'rec-b2' }],
  };
  const stored = (of: Claim, state: StoredClaim['state']): StoredClaim => ({
    claim: of,
    state,
    bundles: ['b1'],
    run_id: 'run',
    read_at: null,
    credited: '0',
    changed_at: '2026-11-20T12:00:00.000Z',
  });
  for (const state of ['sent', 'credited', 'refused'] as const) {
    const { claimable: left, before } = unclaimed(made, [stored(ofSum, state)]);
    expect(left.claims).toEqual([]);
    expect(before.map((each) => each.claim.id)).toEqual(['sum']);
  }
  expect(unclaimed(made, [stored(ofSum, 'open')]).claimable.claims).toHaveLength(1);
  const other = { ...ofSum, records: [{ request_id: 'req-x', id: 'rec-b2' }] };
  expect(unclaimed(made, [stored(other, 'sent')]).claimable.claims).toHaveLength(1);
});
