import { expect, test } from 'vitest';
import { probeOf, runOf } from '../view/daemon-view.test-support.ts';
import { blameOfListed } from './expected-series.ts';

const LISTED = { lists: (model: string) => model === 'aspen-mini' };
const notFound = runOf({ error_type: 'model_not_found', blame: 'account' });

test('a model that is listed and not found is the fault of the gateway, any other that of the account', () => {
  const blameOf = (model: string | null, watch: typeof LISTED | null) =>
    blameOfListed(notFound, probeOf({ model }), watch).blame;
  expect(blameOf('aspen-mini', LISTED)).toBe('gateway');
  expect(blameOf('elsewhere', LISTED)).toBe('account');
  expect(blameOf(null, LISTED)).toBe('account');
  // Nothing was read yet, or nothing is watched.
  expect(blameOf('aspen-mini', null)).toBe('account');
});

test('no other failure changes its blame by the list', () => {
  const denied = runOf({ error_type: 'access_denied', blame: 'account' });
  expect(blameOfListed(denied, probeOf({ model: 'aspen-mini' }), LISTED)).toBe(denied);
});
