import { expect, it } from 'vitest';
import { capacitySearch } from './capacity-flags.ts';

it('has its defaults, and searches nothing without its flag', () => {
  expect(capacitySearch({ findCapacity: true }, undefined)).toEqual({
    step: '60s',
    bounds: { from: 1, resolution: 0.05, mostSteps: 12 },
  });
  expect(capacitySearch({}, '60s')).toBeNull();
});

it.each([
  [{ findCapacity: true, from: '0' }, undefined, /--from: expected a number from/],
  [{ findCapacity: true, from: 'x' }, undefined, /--from: .*found x/],
  [{ findCapacity: true, resolution: '0.9' }, undefined, /--resolution/],
  [{ findCapacity: true, mostSteps: '2.5' }, undefined, /--most-steps: expected a whole number/],
  [{ findCapacity: true, step: '10ms' }, undefined, /--step: expected a duration from 1s/],
  [{ findCapacity: true }, '60s', /--duration: expected --step in its place/],
  [{ step: '5s' }, undefined, /--step: expected to stand beside --find-capacity/],
] as const)('refuses %o with the duration %s', (flags, duration, message) => {
  expect(() => capacitySearch(flags, duration)).toThrow(message);
});
