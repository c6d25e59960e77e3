import { expect, it } from 'vitest';
import { textBook } from '../../pricebook/price-book.test-support.ts';
import { rowOf } from '../view/daemon-view.test-support.ts';
import { priceOfRow } from './paid-run.ts';

/** 1 USD for a million tokens of input, 2 of output. */
const BOOK = textBook({ input: 1_000_000, output: 2_000_000, cache_read: 0, cache_write: 0 });
const USAGE = { input: 1_000, output: 500, cache_read: 0, cache_write: 0, reasoning: null, raw: null };
const ok = { model: 'm', usage: USAGE, conn_reused: false };

it('is that of the units that were told', () => {
  expect(priceOfRow(BOOK, rowOf(ok), null)).toBe(2_000_000_000n);
});

it.each([
  ['refused', { outcome: 'http_error', status: 402, conn_reused: false }, 0n],
  ['never connected', { outcome: 'net_error', status: null, conn_reused: null }, 0n],
  ['failed inside the gateway', { outcome: 'http_error', status: 502, conn_reused: false }, null],
  ['cut', { ...ok, outcome: 'truncated' }, null],
  [
    'whose result could not be downloaded',
    { ...ok, outcome: 'bad_response', error_type: 'download_failed' },
    2_000_000_000n,
  ],
  ['connected and never answered', { outcome: 'timeout_total', status: null, conn_reused: false }, null],
  ['without a count of output', { ...ok, usage: { ...USAGE, output: null } }, null],
  ['of a model without a price', { ...ok, model: 'other' }, null],
] as const)('of a call %s', (_, changes, price) => {
  expect(priceOfRow(BOOK, rowOf({ model: 'm', ...changes }), null)).toBe(price);
});

it('is not known without a book, though a refusal is', () => {
  expect(priceOfRow(null, rowOf(ok), null)).toBeNull();
  expect(priceOfRow(null, rowOf({ outcome: 'http_error', status: 401 }), null)).toBe(0n);
});
