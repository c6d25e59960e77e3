import { expect, test } from 'vitest';
import { readCsv } from '../../plan/trace/read-csv.ts';
import { judge, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { billRows } from '../rows/bill-row.ts';
import { focusColumns } from './focus-columns.ts';
import { focusCsv } from './focus-csv.ts';

const ROWS = billRows(
  'run',
  judge({
    rows: [textRow('right'), textRow('dear')],
    sweeps: [
      { records: [recordOf('right'), recordOf('dear', { amount: '0.0031', refunded_amount: '0.0069' })] },
    ],
  }),
);

type Version = Parameters<typeof focusColumns>[0];

function linesOf(version: Version): readonly Readonly<Record<string, string>>[] {
  const { text } = focusCsv(ROWS, { version, billing: 'usage', target: 'https://gateway.test' });
  const [header = [], ...records] = [...readCsv(text)];
  return records.map((record) =>
    Object.fromEntries(header.map(({ text: name }, index) => [name, record[index]?.text ?? ''])),
  );
}

test('a line for each price line, and one for what no price explains', () => {
  const told = linesOf('1.0').map((line) =>
    ['x_RequestId', 'ChargeCategory', 'BilledCost', 'PricingQuantity', 'PricingUnit', 'x_Delta'].map(
      (name) => line[name],
    ),
  );
  expect(told.toSorted()).toEqual([
    ['req-dear', 'Adjustment', '0.0003', '', '', ''],
    ['req-dear', 'Usage', '0.0008', '0.0001', '1000000 Tokens', ''],
    ['req-dear', 'Usage', '0.002', '0.001', '1000000 Tokens', '0.0003'],
    ['req-right', 'Usage', '0.0008', '0.0001', '1000000 Tokens', ''],
    ['req-right', 'Usage', '0.002', '0.001', '1000000 Tokens', '0'],
  ]);
});

test('the newer columns stand in 1.2 alone, which says that nothing validates it', () => {
  const [old, newer] = (['1.0', '1.2'] as const).map((version) =>
    focusColumns(version).map(([name]) => name),
  );
  for (const names of [old, newer]) expect(new Set(names).size).toBe(names?.length);
  expect(old).not.toContain('SkuMeter');
  expect(newer).toEqual(
    expect.arrayContaining(['ProviderName', 'ResourceId', 'SkuMeter', 'PricingCurrency']),
  );
  expect(new Set(linesOf('1.0').map((line) => line['x_FocusVersion']))).toEqual(new Set(['1.0']));
  expect(linesOf('1.2').map((line) => [line['SkuMeter'], line['x_FocusVersion']])).toContainEqual([
    'Output Token',
    '1.2 (unvalidated)',
  ]);
});
