import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { startGateway } from '../../gateway/start-gateway.ts';
import { runProgram } from '../program.ts';

const strangers = new URL('../../../test/corpus/pricebooks/strangers/', import.meta.url).pathname;

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-pricebook-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function preview(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runProgram(['pricebook', 'preview', ...args], {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    ...UNWATCHED,
    width: 100,
    env: {},
  });
  return { status, out, err: err.join('\n') };
}

function bookOf(value: unknown): string {
  const file = join(dir, 'book.json');
  writeFileSync(file, JSON.stringify(value));
  return file;
}

test('a book that is read in full: its prices, units, rounding and cache', async () => {
  const { status, out } = await preview(join(strangers, 'e.json'));
  expect(status).toBe(0);
  expect(out[0]).toMatch(/^model +kind +meter +USD +per +where$/);
  expect(out[1]).toMatch(
    /^meridian-large-3 +text +input_token +0\.0062 +1000 +from 2024-07-01T00:00:00Z, until 2025-07-01T00:00:00Z$/,
  );
  expect(out.join('\n')).toContain('rounding: half_even to 0.00000001 USD, once a record');
  expect(out.join('\n')).toContain('tokens read from the cache: beside the input');
  expect(out.at(-1)).toBe('read in full');
});

test('a book that is read in part says what is left out and why, with exit 7', async () => {
  const { status, out } = await preview(join(strangers, 'c.json'));
  expect(status).toBe(7);
  expect(out).toContain('left out: pictures.*.edit_fee: holds a figure that no rule reads');
  expect(out).toContain('rounding: undeclared');
  expect(out.at(-1)).toBe('read in part');
});

test('a unit that the sizes of the numbers tell is shown with its reason', async () => {
  const { out } = await preview(bookOf({ models: [{ id: 'm', input: 0.15, output: 12.5 }] }));
  expect(out).toContain(
    'taken as given: prices of tokens are for 1000000 tokens: only for 1000000 tokens are all prices between 0.005 and 1500 USD a million tokens',
  );
  expect(out).toContain('taken as given: no currency is told: taken as USD');
});

test('one line of JSON for programs', async () => {
  const { out } = await preview(join(strangers, 'd.json'), '--json');
  expect(out).toHaveLength(1);
  expect(JSON.parse(out[0] ?? '')).toMatchObject({ reader: 'fields', in_full: true, left_out: [] });
});

test('a gateway is asked for its book', async () => {
  const gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
  try {
    const { status, out } = await preview(gateway.ready.base_url);
    expect({ status, last: out.at(-1) }).toEqual({ status: 0, last: 'read in full' });
  } finally {
    await gateway.close();
  }
});

describe('what cannot be read ends 2, with code and hint', () => {
  test('no certain unit', async () => {
    const { status, out, err } = await preview(bookOf({ models: [{ id: 'm', input: 0.15 }] }));
    expect({ status, out }).toEqual({ status: 2, out: [] });
    expect(err).toContain('book_unreadable');
    expect(err).toContain(
      'm: models[].input 0.15: the unit is not certain: may be for 1000 tokens or 1000000 tokens',
    );
    expect(err).toContain('--mapping');
  });

  test('no file', async () => {
    const { status, err } = await preview(join(dir, 'none.json'));
    expect(status).toBe(2);
    expect(err).toContain('book_missing');
  });
});
