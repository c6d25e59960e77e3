import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createJsonMacros } from './json-macros.ts';
import { openStore, type Store } from './open-store.ts';
import { sqlLines, sqlText } from './sql-text.ts';

const dir = mkdtempSync(join(tmpdir(), 'weighbridge-store-'));
let store: Store;
beforeAll(async () => {
  store = await openStore({ memory_bytes: 900_000_000, temp_dir: dir });
});
afterAll(() => store.close());

describe('the store', () => {
  test('appends, reads, streams and copies rows, whole numbers of any size as they are', async () => {
    await store.run('CREATE TABLE sums (name VARCHAR, many BIGINT, huge HUGEINT, yes BOOLEAN)');
    await store.append('sums', [
      ['a', 2n ** 60n, 2n ** 100n, true],
      ["b'", null, -1n, null],
    ]);
    const row = z.object({
      name: z.string(),
      many: z.string().nullable(),
      huge: z.string(),
      yes: z.boolean().nullable(),
    });
    expect(await store.rows('SELECT * FROM sums ORDER BY name', row)).toEqual([
      { name: 'a', many: String(2n ** 60n), huge: String(2n ** 100n), yes: true },
      { name: "b'", many: null, huge: '-1', yes: null },
    ]);
    const streamed: unknown[] = [];
    for await (const value of store.stream(
      'SELECT huge FROM sums ORDER BY name',
      ([column = []]) => column,
    )) {
      streamed.push(value);
    }
    expect(streamed).toEqual([2n ** 100n, -1n]);
    const file = join(dir, "copy's.csv");
    await store.copy('SELECT name, huge FROM sums ORDER BY name', file, 'csv');
    expect(readFileSync(file, 'utf8')).toBe(`name,huge\na,${2n ** 100n}\nb',-1\n`);
    expect(store.peakBytes()).toBeGreaterThan(10_000_000);
  });

  test('tells a file that it cannot read from SQL that fails', async () => {
    const file = join(dir, 'bad[1]*.ndjson');
    writeFileSync(file, '{"a":1}\n{"a":2}TRAILER\n');
    const read = `SELECT count(*) FROM ${sqlLines([file], "{a: 'JSON'}")}`;
    await expect(store.run(read)).rejects.toMatchObject({ code: 'store_unreadable', exitCode: 1 });
    await expect(store.run('SELECT nothing')).rejects.toMatchObject({ code: 'store_failed' });
  });

  test('every line is a row in its order, and names with signs of patterns are names', async () => {
    const file = join(dir, "lines [a]'?.ndjson");
    writeFileSync(file, Array.from({ length: 5000 }, (_, index) => `{"a":${index}}\n`).join(''));
    await store.run(`CREATE TABLE lines AS SELECT a::INTEGER AS a FROM ${sqlLines([file], "{a: 'JSON'}")}`);
    const [wrong] = await store.rows(
      'SELECT count(*)::INTEGER AS n FROM lines WHERE rowid <> a',
      z.object({ n: z.number() }),
    );
    expect(wrong).toEqual({ n: 0 });
  });
});

/** What a lenient reader of times takes, or one that counts only characters. */
const NO_INSTANTS = [
  '2026-11-20T12:00:60.000Z',
  '2026-11-20T24:00:00.000Z',
  '2026-11-31T12:00:00.000Z',
  '2026-13-20T12:00:00.000Z',
  '2126-11-20T12:00:00.000Z',
  '1926-11-20T12:00:00.000Z',
  '2026-11-20 12:00:00.000Z',
  '2026/11/20T12:00:00.000Z',
  '2026-11-20T12:00:00,000Z',
  '2026-11-20T12:00:00.000z',
  '2026-11-20T12:00:00.00Z',
  '2026-11-20T12:00:00.0000Z',
  ' 2026-1-20T12:00:00.000Z',
  '2026-11-20T12:00:00.00 Z',
  '2026-11-20T12:00:00.00Z ',
  '2026-11-20T12:00:00.0\tZ',
  '2026-11-20T\t1:00:00.000Z',
  '2026-11-20T 1:00:00.000Z',
  '2026-11-20T1:000:00.000Z',
  '20261-1-20T12:00:00.000Z',
  '2026-1-020T12:00:00.000Z',
  '2026-11-20T12:00:000.00Z',
  '2026-11-20T12:00:+1.000Z',
  '2026-11-20T12:00:00.-01Z',
  '2026-11-20T12:00:00',
  '2026-11-20T12:00:0Z',
  '2026-11-20T2:00:00Z ',
];

describe('fields that are judged', () => {
  beforeAll(() => createJsonMacros(store));

  /** The macro over a field that holds this JSON; the line as a whole is read as lines of files are. */
  async function read(macro: string, json: string): Promise<unknown> {
    const file = join(dir, 'field.ndjson');
    writeFileSync(file, `{"x":${json}}\n`);
    const sql = `SELECT ${macro}(x)::VARCHAR AS value FROM ${sqlLines([file], "{x: 'JSON'}")}`;
    const [row] = await store.rows(sql, z.object({ value: z.string().nullable() }));
    return row?.value;
  }

  test.each<[string, string, string | null]>([
    ['whole', '0', '0'],
    ['whole', '999999999999', '999999999999'],
    ['whole', '1000000000000', null],
    ['whole', '"12"', null],
    ['whole', '12.0', null],
    ['whole', '1.2e3', null],
    ['whole', '-1', null],
    ['whole', 'true', null],
    ['whole', '9223372036854775808', null],
    ['whole', 'NaN', null],
    ['tokens', '0', '0'],
    ['tokens', '999999999', '999999999'],
    ['tokens', '1000000000', null],
    ['tokens', '"12"', null],
    ['tokens', '12.0', null],
    ...['1e3', '1e2', '1E2', '10e1', '1.0e2', '1e-7', '99.9', '0.4', '-0.0', '-1', '12345678901'].map(
      (text): [string, string, null] => ['tokens', text, null],
    ),
    ['tokens', '10', '10'],
    ['tokens', '99', '99'],
    ['tokens', 'true', null],
    ['usd', '"0.10"', '0.100000000000'],
    ['usd', '"123456.000000000001"', '123456.000000000001'],
    ['usd', '"0.0000000000005"', null],
    ['usd', '0.1', null],
    ['usd', '"1e-7"', null],
    ['usd', '"+1"', null],
    ['usd', '" 1"', null],
    ['usd', '"1,5"', null],
    ['usd', '".5"', null],
    ['usd', '"5."', null],
    ['usd', '"1\\u0030"', '10.000000000000'],
    ['usd', '"٣"', null],
    ['filled', '"a"', '"a"'],
    ['filled', '""', null],
    ['filled', '5', null],
    ['filled', 'null', null],
    ['instant_ms', '"2026-11-20T12:00:00.001Z"', '1795176000001'],
    ['instant_ms', '"2026-11-20T12:00:00Z"', '1795176000000'],
    ['instant_ms', '"2026-02-30T12:00:00.001Z"', null],
    ['instant_ms', '"2026-11-20T12:00:00.001+01:00"', null],
    ...NO_INSTANTS.map((text): [string, string, null] => ['instant_ms', JSON.stringify(text), null]),
    ['instant_ms', '20261120120000000', null],
    ['ms', '1000.25', '1000.25'],
    ['ms', '"1000"', null],
    ['ms', '-1', null],
  ])('%s of %s is %s', async (macro, json, value) => {
    expect(await read(macro, json)).toBe(value);
  });

  test('a text is a literal', () => {
    expect(sqlText("o'clock")).toBe("'o''clock'");
  });
});
