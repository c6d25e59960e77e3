import { expect, test } from 'vitest';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import { MISMATCH_KINDS } from '../../contracts/metrics/label-values.ts';
import { MISMATCH_KIND_OF } from './audit-tally.ts';

test('every class of a finding is one kind of mismatch, and every kind is used', () => {
  for (const name of FAULT_CLASSES) expect(MISMATCH_KINDS, name).toContain(MISMATCH_KIND_OF[name]);
  expect(Object.keys(MISMATCH_KIND_OF).sort()).toEqual([...FAULT_CLASSES].sort());
  expect(new Set(Object.values(MISMATCH_KIND_OF))).toEqual(new Set(MISMATCH_KINDS));
});

test('the kinds that alerts rest on', () => {
  expect(MISMATCH_KIND_OF).toMatchObject({
    unrecorded_request: 'missing',
    duplicate_charge: 'duplicate',
    amount_mismatch: 'amount',
    token_mismatch: 'tokens',
    wrong_model_price: 'model',
    late_posting: 'time',
  });
});
