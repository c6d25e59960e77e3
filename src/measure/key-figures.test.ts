import { expect, test } from 'vitest';
import { keyFigures } from './key-figures.ts';
import { callRow, failedRow } from './ledger.test-support.ts';
import { logicalCalls } from './logical-call.ts';

const ONE = '00000000000000a1';
const TWO = '00000000000000b2';

test('figures stand by key; a 429 counts with its key, also where a later attempt succeeded', () => {
  const refused = failedRow(0, { key_fp: TWO, status: 429, logical_id: 'again', attempt: 1 });
  const rows = [
    callRow(0, { key_fp: ONE, ttft_ms: 100, end_ms: 500 }),
    callRow(10, { key_fp: ONE, ttft_ms: 300, end_ms: 900 }),
    refused,
    callRow(20, { ...{ key_fp: TWO, logical_id: 'again', attempt: 2 }, instance: refused.instance }),
    failedRow(30, { key_fp: TWO, status: 429 }),
  ];
  const figures = keyFigures(logicalCalls(rows));
  expect(figures).toMatchObject([
    { key_fp: ONE, calls: 2, ok: 2, rate_limited: 0, ttft: { count: 2, p50: 200 }, e2e: { p50: 700 } },
    { key_fp: TWO, calls: 2, ok: 1, rate_limited: 2, outcomes: { ok: 1, http_error: 1 } },
  ]);
});

test('one key, or none that is told, is no table', () => {
  const rows = [callRow(0, { key_fp: ONE }), callRow(1, { key_fp: null })];
  expect(keyFigures(logicalCalls(rows))).toBeUndefined();
});
