import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  bookDocument,
  IMAGE_RECORD,
  imageRow,
  judge,
  recordOf,
  textRow,
} from '../../reconcile/reconcile.test-support.ts';
import { markupOf, storeListPrices } from './list-prices.ts';

const BILL = judge({
  rows: [textRow('a'), textRow('b'), imageRow('c')],
  sweeps: [{ records: [recordOf('a'), recordOf('b'), recordOf('c', IMAGE_RECORD)] }],
});

test('the same units at a price list, a model that it does not have apart', () => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-list-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  expect(markupOf(dir, BILL)).toBeNull();
  const text = {
    id: 'text-1',
    kind: 'text',
    unit: 'per_1m_tokens',
    input: '1',
    output: '4',
    cache_read: '0.5',
  };
  const file = join(dir, 'vendor.json');
  writeFileSync(file, JSON.stringify(bookDocument({ pricebook_id: 'vendor', models: [text] })));
  storeListPrices(dir, file);
  const markup = markupOf(dir, BILL);
  expect(markup?.list).toMatch(/^vendor \(SHA-256 [0-9a-f]{64}\)$/);
  const line = { calls: 2, charged: '0.0056', at_list: '0.0028' };
  expect(markup).toMatchObject({ total: line, by_model: [{ model: 'text-1', ...line }], without: 1 });
});

test('what is no price list is refused with its name', () => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-list-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'vendor.json');
  writeFileSync(file, '{"hello":1}');
  expect(() => storeListPrices(dir, file)).toThrow(/^The list prices in vendor\.json cannot be read: /);
});
