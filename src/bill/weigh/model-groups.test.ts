import { expect, it } from 'vitest';
import { modelGroups } from './model-groups.ts';

it('brings one model together under its lawful names', () => {
  expect(modelGroups(['maker/swift-1', 'Deep-3-20260501'], ['swift-1', 'deep-3'])).toEqual([
    { name: 'Deep-3-20260501', billed: ['Deep-3-20260501'], called: ['deep-3'] },
    { name: 'maker/swift-1', billed: ['maker/swift-1'], called: ['swift-1'] },
  ]);
});

it('keeps two dates of one model apart where both sides name them', () => {
  const names = ['swift-1-2026-01-01', 'swift-1-2026-05-01'];
  expect(modelGroups(names, names).map(({ billed }) => billed)).toEqual(names.map((name) => [name]));
  expect(modelGroups(names, ['swift-1'])).toEqual([{ name: names[0], billed: names, called: ['swift-1'] }]);
});

it('weighs what is left on both sides as one, and leaves a name of the bill alone where no call is left', () => {
  expect(modelGroups(['same', 'x'], ['same', 'y'])).toEqual([
    { name: 'same', billed: ['same'], called: ['same'] },
    { name: 'other names', billed: ['x'], called: ['y'] },
  ]);
  expect(modelGroups(['same', 'x'], ['same'])[1]).toEqual({ name: 'x', billed: ['x'], called: [] });
});
