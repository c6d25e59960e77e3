import { expect, test } from 'vitest';
import { readCsv } from '../../plan/trace/read-csv.ts';
import { judge, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { billRows } from '../rows/bill-row.ts';
import { FOCUS_COLUMNS } from './focus-columns.ts';
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

function lines(): readonly Readonly<Record<string, string>>[] {
  const { text } = focusCsv(ROWS, { billing: 'usage', target: 'https://gateway.test' });
  const [header = [], ...records] = [...readCsv(text)];
  return records.map((record) =>
    Object.fromEntries(header.map(({ text: name }, index) => [name, record[index]?.text ?? ''])),
  );
}

test('a line for each price line, and one for what no price explains', () => {
  const told = lines().map((line) =>
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

test('columns have the names of FOCUS 1.2, each once and in their order; all others are ours', () => {
  const names = FOCUS_COLUMNS.map(([name]) => name);
  const described = names.filter((name) => !name.startsWith('x_'));
  expect(new Set(names).size).toBe(names.length);
  expect(described).toEqual(described.toSorted());
  expect(names.slice(0, described.length)).toEqual(described);
  for (const draft of ['ChargeType', 'InvoiceIssuer', 'Provider', 'Publisher', 'ResourceID'])
    expect(names).not.toContain(draft);
  expect(new Set(lines().map((line) => line['x_FocusVersion']))).toEqual(new Set(['1.2']));
});
