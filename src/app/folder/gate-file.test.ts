import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_TOLERANCES } from '../../reconcile/input/reconcile-input.ts';
import { askedTolerances, keepAsked, withAsked } from './gate-file.ts';

test('what a verdict asks for stands in the folder, over what is configured, until the next asks for nothing', () => {
  const dir = mkdtempSync(join(tmpdir(), 'gate-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  expect(withAsked(dir, DEFAULT_TOLERANCES)).toEqual(DEFAULT_TOLERANCES);
  keepAsked(dir, askedTolerances({ gate: 'S2:0.01:duplicate_charge,phantom_record' }));
  expect(withAsked(dir, DEFAULT_TOLERANCES)).toEqual({
    gate: 'S2',
    gate_usd: '0.01',
    gate_classes: ['duplicate_charge', 'phantom_record'],
    accept: [],
    min_checked: 0.95,
  });
  keepAsked(dir, askedTolerances({ gate: 'S1', minChecked: '.5' }));
  expect(withAsked(dir, DEFAULT_TOLERANCES)).toEqual({
    gate: 'S1',
    gate_usd: '0',
    gate_classes: [],
    accept: [],
    min_checked: 0.5,
  });
  keepAsked(dir, askedTolerances({}));
  expect(withAsked(dir, DEFAULT_TOLERANCES)).toEqual(DEFAULT_TOLERANCES);
});
