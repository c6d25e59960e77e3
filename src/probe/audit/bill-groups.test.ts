import { expect, test } from 'vitest';
import { findingOf } from '../../contracts/reconciliation.test-support.ts';
import { billGroups } from './bill-groups.ts';

test('sums final findings by class, the dearest first, with the largest as the example', () => {
  const groups = billGroups([
    findingOf({ class: 'token_mismatch', delta_exact: '0.001', request_id: 'small' }),
    findingOf({ delta_exact: '0.0125', request_id: 'first' }),
    findingOf({ delta_exact: '0.02', request_id: 'largest' }),
    findingOf({ delta_exact: '9', provisional: true }),
    findingOf({ class: 'unrecorded_request', delta_exact: null }),
  ]);
  expect(groups).toMatchObject([
    { class: 'duplicate_charge', findings: 2, delta_usd: '0.0325', example: { request_id: 'largest' } },
    { class: 'token_mismatch', findings: 1, delta_usd: '0.001', partly: false },
    { class: 'unrecorded_request', findings: 1, delta_usd: null, partly: false },
  ]);
});

test('counts the money of a finding over many rows once', () => {
  const groups = billGroups([
    findingOf({ id: 'over', delta_exact: '0.03', rows: 2, explanation: 'Two calls.' }),
    findingOf({ delta_exact: '0.01', group: 'over' }),
    findingOf({ delta_exact: '0.02', group: 'over' }),
    findingOf({ delta_exact: null }),
  ]);
  expect(groups).toMatchObject([
    { findings: 4, delta_usd: '0.03', partly: true, example: { explanation: 'Two calls.' } },
  ]);
});
