import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openStore, type Store } from '../../ledger/store/open-store.ts';
import { cellRows } from '../../pricebook/cells/cells.test-support.ts';
import { evaluateCell } from '../../pricebook/cells/evaluate-cell.test-support.ts';
import { type CellUnits, MOST_PRICE, MOST_UNITS, type PriceCell } from '../../pricebook/cells/price-cell.ts';
import { fitsBigint, pricedSql } from '../../pricebook/cells/price-sql.ts';

const SEED = 20_261_121;
const COLUMNS = [
  'p_in',
  'p_out',
  'p_read',
  'p_write',
  'p_unit',
  'p_request',
  'd',
  'quantum_pico',
  'min_pico',
] as const;
const UNITS = ['n_plain', 'n_read', 'n_write', 'n_out', 'n_unit'] as const;

let store: Store;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'price-sql-'));
  store = await openStore({ memory_bytes: 1_000_000_000, temp_dir: folder });
  for (const [table, price, unit] of [
    ['priced', 'HUGEINT', 'BIGINT'],
    ['narrow', 'BIGINT', 'INTEGER'],
  ] as const) {
    const numbers = [...COLUMNS.map((name) => `${name} ${price}`), ...UNITS.map((name) => `${name} ${unit}`)];
    await store.run(
      `CREATE TABLE ${table} (row INTEGER, ${numbers.join(', ')}, mode INTEGER, min_at_zero BOOLEAN)`,
    );
  }
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function pricesOf(
  rows: readonly { readonly cell: PriceCell; readonly units: CellUnits }[],
  table: 'priced' | 'narrow' = 'priced',
): Promise<unknown> {
  await store.run(`DELETE FROM ${table}`);
  await store.append(
    table,
    rows.map(({ cell, units }, row) => [
      row,
      ...COLUMNS.map((name) => cell[name]),
      ...UNITS.map((name) => (table === 'narrow' ? Number(units[name]) : units[name])),
      cell.mode,
      cell.min_at_zero,
    ]),
  );
  const due = z.object({ due: z.string().nullable() }).transform((row) => row.due);
  return store.rows(`SELECT due FROM (${pricedSql(table)}) ORDER BY row`, due);
}

test('SQL prices every row as the cell does and as the book does, to the digit', async () => {
  const rows = fc.sample(cellRows, { seed: SEED, numRuns: 200 }).flat();
  expect(rows.filter(({ tie }) => tie).length).toBeGreaterThan(100);
  expect(await pricesOf(rows)).toEqual(rows.map(({ charge }) => charge.toString()));
  expect(rows.map(({ cell, units }) => evaluateCell(cell, units))).toEqual(rows.map(({ charge }) => charge));
});

test('the largest units and prices stay within 128 bits, and a missing price has no charge', async () => {
  const [first] = fc.sample(cellRows, { seed: SEED, numRuns: 1 }).flat();
  if (first === undefined) throw new Error('no row');
  const most = MOST_PRICE;
  const cell = { ...first.cell, p_in: most, p_out: most, p_read: most, p_write: most, p_unit: null };
  const units = {
    n_plain: MOST_UNITS,
    n_read: MOST_UNITS,
    n_write: MOST_UNITS,
    n_out: MOST_UNITS,
    n_unit: 0n,
  };
  const large = { ...cell, p_request: most, d: most, quantum_pico: 1n, min_pico: null };
  const lacking = { ...large, p_out: null };
  expect(
    await pricesOf([
      { cell: large, units },
      { cell: lacking, units },
    ]),
  ).toEqual([String(evaluateCell(large, units)), evaluateCell(lacking, units)]);
});

test('cells that fit are priced the same in 64 bits, up to the largest', async () => {
  const few = (units: CellUnits): boolean => UNITS.every((name) => units[name] < 10n ** 9n);
  const rows = fc
    .sample(cellRows, { seed: SEED, numRuns: 200 })
    .flat()
    .filter(({ cell, units }) => fitsBigint(cell) && few(units));
  expect(rows.length).toBeGreaterThan(100);
  expect(await pricesOf(rows, 'narrow')).toEqual(rows.map(({ charge }) => charge.toString()));
  const [first] = rows;
  if (first === undefined) throw new Error('no row');
  const [price, amount] = [10n ** 9n, 10n ** 18n];
  const prices = { p_in: price, p_out: price, p_read: price, p_write: price, p_unit: null };
  const cell = {
    ...first.cell,
    ...prices,
    p_request: amount,
    d: amount,
    quantum_pico: amount,
    min_pico: null,
    mode: 3,
  };
  const most = 10n ** 9n - 1n;
  const units = { n_plain: most, n_read: most, n_write: most, n_out: most, n_unit: 0n };
  expect(fitsBigint(cell)).toBe(true);
  expect(await pricesOf([{ cell, units }], 'narrow')).toEqual([String(evaluateCell(cell, units))]);
  expect(fitsBigint({ ...cell, p_in: price + 1n })).toBe(false);
  expect(fitsBigint({ ...cell, d: amount - 1n })).toBe(false);
});
