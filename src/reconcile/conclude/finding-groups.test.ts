import { expect, test } from 'vitest';
import { findingOf } from '../../contracts/reconciliation.test-support.ts';
import { DEFAULT_TOLERANCES } from '../input/reconcile-input.ts';
import { judge, recordOf, textRow } from '../reconcile.test-support.ts';
import { findingGroups, gates } from './finding-groups.ts';

const held = findingOf({
  severity: 'S1',
  direction: 'over',
  delta_exact: null,
  delta_min: '-0.5',
  delta_max: '0.2',
});

test.each([
  ['any severity at or above the gate', findingOf({ severity: 'S3' }), {}, true],
  ['none below it', findingOf({ severity: 'S4' }), {}, false],
  ['none that may still turn out untrue', findingOf({ provisional: true }), {}, false],
  ['none beneath a group, which gates for it', findingOf({ group: 'g1' }), {}, false],
  ['one over the amount', findingOf(), { gate_usd: '0.0124' }, true],
  ['none at the amount', findingOf(), { gate_usd: '0.0125' }, false],
  ['one that may be under by more', held, { gate_usd: '0.3' }, true],
  ['none that can only be wrong by less', held, { gate_usd: '0.5' }, false],
  ['one over an unknown amount', findingOf({ delta_min: null, delta_max: null }), { gate_usd: '9' }, true],
  [
    'none without money',
    findingOf({ direction: 'none', delta_min: null, delta_max: null }),
    { gate_usd: '9' },
    false,
  ],
  ['one of the classes', findingOf(), { gate_classes: ['duplicate_charge' as const] }, true],
  ['none of another class', findingOf(), { gate_classes: ['phantom_record' as const] }, false],
])('%s', (_, finding, changes, expected) => {
  expect(gates(finding, { ...DEFAULT_TOLERANCES, ...changes })).toBe(expected);
});

test('what others were charged on a shared key is null where an amount of theirs cannot be read, never 0', () => {
  const of = (amount: string) =>
    judge({
      rows: [textRow('a')],
      sweeps: [{ records: [recordOf('a'), recordOf('x'), recordOf('y', { amount })] }],
      key: 'shared',
    }).money.foreign;
  expect(of('0.5')).toEqual({ records: 2, amount: '0.5028' });
  expect(of('0,5')).toEqual({ records: 2, amount: null });
});

test('the sum of a class counts the rows beneath a finding over many once', () => {
  const parent = findingOf({ id: 'g', rows: 2, bridge: 'none', delta_exact: '0.03' });
  const beneath = ['a', 'b'].map((id) => findingOf({ id, group: 'g', delta_exact: '0.015' }));
  const [group] = findingGroups([parent, ...beneath], DEFAULT_TOLERANCES, new Set());
  expect(group).toMatchObject({ count: 3, delta: '0.03' });
});
