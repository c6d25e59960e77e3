import { expect, it } from 'vitest';
import { capacitySearch, refuseCounted } from './capacity-flags.ts';

it('has its defaults, and searches nothing without its flag', () => {
  expect(capacitySearch({ findCapacity: true }, undefined)).toEqual({
    step: '60s',
    bounds: { from: 1, resolution: 0.05, mostSteps: 12 },
  });
  expect(capacitySearch({}, '60s')).toBeNull();
});

it.each([
  [{ findCapacity: true, from: '0' }, undefined, /--from must be a number from/],
  [{ findCapacity: true, from: 'x' }, undefined, /--from must be .* but it is x/],
  [{ findCapacity: true, resolution: '0.9' }, undefined, /--resolution/],
  [{ findCapacity: true, mostSteps: '2.5' }, undefined, /--most-steps must be a whole number/],
  [{ findCapacity: true, step: '10ms' }, undefined, /--step must be a duration from 1s/],
  [{ findCapacity: true }, '60s', /Give --step instead/],
  [{ step: '5s' }, undefined, /--step 5s needs --find-capacity/],
] as const)('refuses %o with the duration %s', (flags, duration, message) => {
  expect(() => capacitySearch(flags, duration)).toThrow(message);
});

it('does not go with a number of calls, which would hold for one of its steps alone', () => {
  const search = capacitySearch({ findCapacity: true }, undefined);
  const spend = { max_usd: null, max_calls: null, assume_usd_per_call: null };
  expect(() => refuseCounted(search, { spend: { ...spend, max_calls: 9 } })).toThrow(
    /--find-capacity cannot be used with .*found 9/,
  );
  expect(() => refuseCounted(search, { spend: { ...spend, assume_usd_per_call: '0.1' } })).toThrow(
    /found 0\.1/,
  );
  expect(() => refuseCounted(search, { spend })).not.toThrow();
  expect(() => refuseCounted(null, { spend: { ...spend, max_calls: 9 } })).not.toThrow();
});
