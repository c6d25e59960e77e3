import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { addDecimal, formatDecimal, normalise, parseDecimal, ZERO } from '../../core/decimal.ts';
import { openStore } from '../../ledger/store/open-store.ts';
import { sqlText } from '../../ledger/store/sql-text.ts';
import { readCsv } from '../../plan/trace/read-csv.ts';
import {
  cutRow,
  judge,
  recordOf,
  START_MS,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from '../../reconcile/reconcile.test-support.ts';
import { openMetrics } from '../files/open-metrics.ts';
import { focusCsv } from '../focus/focus-csv.ts';
import { HOSTILE_MODEL, reportInput } from '../report.test-support.ts';
import { type BillRow, billRows } from './bill-row.ts';
import { ROW_COLUMNS } from './row-columns.ts';
import { csvHeader, csvRow, ndjsonLine, writeNdjsonRows, writeParquetRows } from './write-rows.ts';

type Story = (name: string) => {
  readonly rows: readonly CallRow[];
  readonly records: readonly UsageRecord[];
};

const STORIES: { readonly [kind: string]: Story } = {
  right: (name) => ({ rows: [textRow(name)], records: [recordOf(name)] }),
  twice: (name) => ({
    rows: [textRow(name)],
    records: [recordOf(name), recordOf(name, { id: `second-${name}` })],
  }),
  dear: (name) => ({
    rows: [textRow(name)],
    records: [recordOf(name, { amount: '0.0031', refunded_amount: '0.0069' })],
  }),
  uncharged: (name) => ({
    rows: [textRow(name)],
    records: [recordOf(name, { amount: '0', refunded_amount: '0.01' })],
  }),
  pending: (name) => ({
    rows: [textRow(name)],
    records: [
      recordOf(name, { billing_status: 'pending', result: 'unknown', amount: '0', refunded_amount: '0' }),
    ],
  }),
  refunded: (name) => ({
    rows: [videoRow(name, { outcome: 'task_failed', error_type: 'task_failed' })],
    records: [
      recordOf(name, {
        ...VIDEO_RECORD,
        billing_status: 'refunded',
        result: 'failed',
        amount: '0',
        refunded_amount: '0.4',
      }),
    ],
  }),
  half_back: (name) => ({
    rows: [videoRow(name, { outcome: 'task_failed', error_type: 'task_failed' })],
    records: [
      recordOf(name, {
        ...VIDEO_RECORD,
        billing_status: 'refunded',
        result: 'failed',
        amount: '0',
        refunded_amount: '0.1',
      }),
    ],
  }),
  cut: (name) => ({ rows: [cutRow(name)], records: [recordOf(name)] }),
  missing: (name) => ({ rows: [textRow(name)], records: [] }),
  phantom: (name) => ({ rows: [], records: [recordOf(name)] }),
  long: (name) => ({
    rows: [textRow(name)],
    records: [recordOf(name, { amount: '0.00280000000000001' })],
  }),
  nameless: (name) => ({
    rows: [textRow(name, { request_id: null, request_ids: [], usage: null })],
    records: [recordOf(name)],
  }),
  hostile: (name) => ({
    rows: [textRow(name, { scenario: '=HYPERLINK("http://x.test")', error_code: '@SUM(A1)' })],
    records: [recordOf(name, { model: HOSTILE_MODEL })],
  }),
};

const worlds = fc.record({
  kinds: fc.array(fc.constantFrom(...Object.keys(STORIES)), { minLength: 1, maxLength: 9 }),
  key: fc.constantFrom('shared' as const, 'exclusive' as const),
});

function worldOf(kinds: readonly string[], key: 'shared' | 'exclusive'): Reconciliation {
  const stories = kinds.map((kind, index) => STORIES[kind]?.(`${kind}-${index}`));
  const records = stories.flatMap((story) => story?.records ?? []);
  return judge({
    rows: stories.flatMap((story) => story?.rows ?? []),
    sweeps: [
      { records, at_ms: START_MS + 3_600_000 },
      { records, at_ms: START_MS + 2 * 86_400_000 },
    ],
    key,
  });
}

type Amounts = Readonly<Record<string, string | null>>;

/** Over all rows but foreign ones; null where one of them is not known. */
function sumOf(rows: readonly Amounts[], name: string, absent: 'null' | 'nothing'): string | null {
  let sum = ZERO;
  for (const row of rows) {
    const text = row[name] ?? null;
    if (text === null && absent === 'null') return null;
    sum = addDecimal(sum, (text === null ? null : parseDecimal(text)) ?? ZERO);
  }
  return formatDecimal(normalise(sum));
}

function csvRecords(text: string): readonly Amounts[] {
  const [header = [], ...records] = [...readCsv(text)];
  return records.map((record) =>
    Object.fromEntries(
      header.map(({ text: name }, index) => [
        name,
        record[index]?.text === '' ? null : (record[index]?.text ?? null),
      ]),
    ),
  );
}

const line = z.looseObject({ match_pass: z.string(), charged: z.string().nullable() });

function ndjsonRecords(rows: readonly BillRow[]): readonly Amounts[] {
  return rows.map((row) => {
    const { charged, ...rest } = line.parse(JSON.parse(ndjsonLine(row)));
    const texts = Object.entries(rest).filter(([, value]) => typeof value === 'string');
    return { ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])), charged };
  });
}

function isOurs(row: Amounts): boolean {
  return row['match_pass'] !== 'foreign';
}

const EXACT = ['refunded', 'pending', 'certain_over', 'certain_under', 'open'] as const;

test('the sums of every row format are those of the result', () => {
  fc.assert(
    fc.property(worlds, ({ kinds, key }) => {
      const reconciliation = worldOf(kinds, key);
      const { money } = reconciliation;
      const rows = billRows('run', reconciliation);
      const csv = csvRecords(`${csvHeader()}${rows.map(csvRow).join('')}`);
      expect(csv).toHaveLength(rows.length);
      for (const all of [csv, ndjsonRecords(rows)]) {
        const ours = all.filter(isOurs);
        for (const name of EXACT) expect(sumOf(ours, name, 'nothing'), name).toBe(money[name]);
        expect(sumOf(ours, 'charged', 'nothing')).toBe(money.charged);
        expect(sumOf(ours, 'expected', 'nothing')).toBe(money.expected ?? '0');
        expect(sumOf(ours, 'delta', 'nothing')).toBe(money.difference ?? '0');
      }
      const ids = rows.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 150 },
  );
});

test('the costs of FOCUS add up to what is charged, a refund never to it', () => {
  fc.assert(
    fc.property(worlds, ({ kinds, key }) => {
      const reconciliation = worldOf(kinds, key);
      const { money } = reconciliation;
      const rows = billRows('run', reconciliation);
      for (const billing of ['usage', 'drawdown'] as const) {
        const { text, left_out } = focusCsv(rows, { billing, target: 'https://gateway.test' });
        const lines = csvRecords(text);
        expect(left_out).toBe(0);
        expect(sumOf(lines, 'EffectiveCost', 'null')).toBe(money.charged);
        expect(sumOf(lines, 'BilledCost', 'null')).toBe(billing === 'usage' ? money.charged : '0');
        const credits = lines.filter((each) => each['ChargeCategory'] === 'Credit');
        expect(credits.every((each) => (each['EffectiveCost'] ?? '').startsWith('-'))).toBe(true);
        for (const each of lines.filter((row) => row['ListUnitPrice'] === null)) {
          const { ConsumedQuantity, ConsumedUnit, PricingQuantity, PricingUnit } = each;
          expect([ConsumedQuantity, ConsumedUnit, PricingQuantity, PricingUnit]).toEqual([
            null,
            null,
            null,
            null,
          ]);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('a charge that cannot be read is left out of FOCUS and told, and is not known in the rows', () => {
  const reconciliation = judge({
    rows: [textRow('a')],
    sweeps: [{ records: [recordOf('a', { amount: 'much' })] }],
  });
  const rows = billRows('run', reconciliation);
  const { text, left_out } = focusCsv(rows, { billing: 'usage', target: 't' });
  expect({ left_out, lines: csvRecords(text).length }).toEqual({ left_out: 1, lines: 0 });
  expect(ndjsonRecords(rows).map(({ charged }) => charged)).toEqual([null]);
  expect(reconciliation.money.charged).toBeNull();
});

test('metrics carry the digits of the result, and end', () => {
  const reconciliation = worldOf(['right', 'twice', 'dear', 'refunded'], 'exclusive');
  const { result } = reportInput({ reconciliation });
  const text = openMetrics(result);
  for (const name of ['charged', 'expected', 'refunded', 'difference', 'certain_over'] as const) {
    expect(text).toContain(`weighbridge_bill_usd{line="${name}"} ${reconciliation.money[name]}\n`);
  }
  expect(text.endsWith('\n# EOF\n')).toBe(true);
  for (const sample of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    expect(sample).toMatch(/^[a-z_]+(\{([a-z_]+="([^"\\\n]|\\[\\"n])*",?)+\})? -?\d+(\.\d+)?$/);
  }
});

test('half a surrogate pair in an id is one unknown character in every form', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-rows-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const half = recordOf('a', { id: 'rec-\ud800', request_id: 'req-\\\\ud800\udfff' });
  const reconciliation = judge({ basis: 'records', key: 'shared', sweeps: [{ records: [half] }] });
  const rows = billRows('run', reconciliation);
  const lines = [...rows].map(ndjsonLine).join('');
  expect(lines).toContain(String.raw`"rec-\ufffd`);
  expect(lines).toContain(String.raw`req-\\\\ud800\ufffd`);
  expect(lines).not.toContain(String.raw`\udfff`);
  await writeParquetRows(join(dir, 'rows.parquet'), billRows('run', reconciliation));
  const store = await openStore({ memory_bytes: 900_000_000, temp_dir: dir });
  onTestFinished(() => store.close());
  const from = `read_parquet(${sqlText(join(dir, 'rows.parquet'))})`;
  const [row] = await store.rows(`SELECT request_id FROM ${from}`, z.object({ request_id: z.string() }));
  expect(row?.request_id).toBe(`${String.raw`req-\\ud800`}\ufffd`);
});

test('Parquet read back equals rows.ndjson, amounts as DECIMAL(38,12)', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-rows-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const rows = billRows('run', worldOf(Object.keys(STORIES), 'exclusive'));
  const [ndjson, parquet] = [join(dir, 'rows.ndjson'), join(dir, 'rows.parquet')];
  writeNdjsonRows(ndjson, rows);
  await writeParquetRows(parquet, rows);
  const store = await openStore({ memory_bytes: 900_000_000, temp_dir: dir });
  onTestFinished(() => store.close());
  const types = await store.rows(
    `DESCRIBE SELECT * FROM read_parquet(${sqlText(parquet)})`,
    z.looseObject({ column_name: z.string(), column_type: z.string() }),
  );
  const decimals = ROW_COLUMNS.filter(({ type }) => type === 'decimal').map(({ name }) => name);
  const held = types.filter(({ column_type }) => column_type === 'DECIMAL(38,12)');
  expect(held.map(({ column_name }) => column_name)).toEqual(decimals);
  const packed = await store.rows(
    `SELECT DISTINCT compression FROM parquet_metadata(${sqlText(parquet)})`,
    z.looseObject({ compression: z.string() }),
  );
  expect(packed.map(({ compression }) => compression)).toEqual(['ZSTD']);
  const read = await store.rows(
    `SELECT ${ROW_COLUMNS.map(({ name }) => `CAST("${name}" AS VARCHAR) AS "${name}"`).join(', ')} FROM read_parquet(${sqlText(parquet)})`,
    z.record(z.string(), z.string().nullable()),
  );
  const texts = readFileSync(ndjson, 'utf8').trimEnd().split('\n');
  expect(read).toHaveLength(texts.length);
  for (const [index, row] of rows.entries()) {
    for (const { name, type, read: textOf } of ROW_COLUMNS) {
      const found = read[index]?.[name] ?? null;
      const value = textOf(row);
      const same =
        type === 'decimal'
          ? found === null || value === null
            ? found === value
            : parseAmount(found) === parseAmount(value)
          : type === 'real'
            ? Number(found) === Number(value)
            : found === value;
      expect(same, `${name} of row ${index}: ${value} and ${found}`).toBe(true);
    }
  }
  const [sums] = await store.rows(
    `SELECT CAST(sum(charged) AS VARCHAR) AS charged FROM read_parquet(${sqlText(parquet)}) WHERE match_pass <> 'foreign'`,
    z.object({ charged: z.string() }),
  );
  const charged = rows.flatMap(({ money }) => parseAmount(money?.charged ?? '0') ?? 0n);
  expect(formatAmount(parseAmount(sums?.charged ?? '') ?? -1n)).toBe(
    formatAmount(charged.reduce((sum, amount) => sum + amount, 0n)),
  );
});
