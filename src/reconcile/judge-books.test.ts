import { describe, expect, test } from 'vitest';
import type { Reconciliation } from '../core/reconciliation.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  IMAGE_RECORD,
  imageRow,
  judge,
  recordOf,
  textRow,
} from './reconcile.test-support.ts';

describe('the price book', () => {
  test('a version that was not archived cannot be checked: one finding, however many records', () => {
    const records = ['a', 'b'].map((name) => recordOf(name, { pricing_version: 'v0' }));
    const result = judge({ rows: ['a', 'b'].map((name) => textRow(name)), sweeps: [{ records }] });
    expect(brief(result)).toEqual(['price_book_incoherent unknown_version open']);
    expect(result.coverage.not_checkable).toBe(1);
    expect(result.calls.map(({ verdict }) => verdict)).toEqual(['not_checkable', 'not_checkable']);
  });

  test('a record is priced by the version it names', () => {
    const dear = bookDocument({ pricing_version: 'v2', adjustments: [{ name: 'up', factor: '2' }] });
    const books = [archivedBook(), archivedBook(dear, 'b'.repeat(64))];
    const of = (pricing_version: string, amount: string): Reconciliation =>
      judge({
        rows: [textRow('a')],
        books,
        sweeps: [
          {
            records: [recordOf('a', { pricing_version, amount, reserved_amount: '0', refunded_amount: '0' })],
          },
        ],
      });
    expect(brief(of('v1', '0.0028'))).toEqual([]);
    expect(brief(of('v2', '0.0056'))).toEqual([]);
    expect(of('v2', '0.0028').gated).toBe(true);
  });

  test('other prices under the same version are incoherent', () => {
    const changed = bookDocument({ adjustments: [{ name: 'up', factor: '2' }] });
    const result = judge({
      rows: [textRow('a')],
      books: [archivedBook(), archivedBook(changed, '0'.repeat(64))],
      sweeps: [{ records: [recordOf('a')] }],
    });
    expect(brief(result)).toContain('price_book_incoherent version_reused open');
  });

  test('a charge for a model without a price is a finding, never free', () => {
    const result = judge({
      rows: [textRow('a', { model: 'unlisted' })],
      sweeps: [{ records: [recordOf('a', { model: 'unlisted' })] }],
    });
    expect(brief(result)).toEqual(['price_book_incoherent unpriced_model_charged open']);
    expect(result.gated).toBe(true);
  });

  test('an unreadable book is one finding and no conclusion', () => {
    const books = [archivedBook({ prices: 'in shells' })];
    const result = judge({ rows: [textRow('a')], books, sweeps: [{ records: [recordOf('a')] }] });
    expect(result.findings.map((finding) => finding.class)).toEqual(['price_book_unreadable']);
    expect(result.inconclusive).toEqual(['the price book could not be read', 'nothing could be checked']);
    expect(result.gated).toBe(false);
    expect(result.groups.map(({ gates }) => gates)).toEqual([false]);
    expect(
      judge({ rows: [textRow('a')], books: [], sweeps: [{ records: [recordOf('a')] }] }).inconclusive,
    ).toContain('no price book was read');
  });

  test('an unreadable book beside one that was read leaves no conclusion either', () => {
    const books = [archivedBook(), archivedBook({ prices: 'in shells' }, 'b'.repeat(64))];
    const result = judge({ rows: [textRow('a')], books, sweeps: [{ records: [recordOf('a')] }] });
    expect(result.gated).toBe(false);
    expect(result.inconclusive).toEqual(['the price book could not be read']);
  });

  test('too little checked money is inconclusive', () => {
    const result = judge({
      rows: [textRow('a'), imageRow('b', { units: null })],
      sweeps: [{ records: [recordOf('a'), recordOf('b', IMAGE_RECORD)] }],
    });
    expect(result.gated).toBe(false);
    expect(result.inconclusive).toEqual(['only 12.3 % of the charged money could be checked']);
  });
});
