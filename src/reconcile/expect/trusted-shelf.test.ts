import { describe, expect, test } from 'vitest';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { archivedBook, brief, IMAGE_RECORD, imageRow, judge, recordOf } from '../reconcile.test-support.ts';

/** A price for a call: what the family multiplies it by stands nowhere. */
const BOOK = archivedBook({
  success: true,
  data: [
    {
      model_name: 'image-1',
      quota_type: 1,
      model_price: 0.04,
      supported_endpoint_types: ['image-generation'],
    },
  ],
});

function charged(...amounts: readonly string[]): Reconciliation {
  return judge({
    rows: amounts.map((_, index) => imageRow(`c${index}`)),
    books: [BOOK],
    sweeps: [{ records: amounts.map((amount, index) => recordOf(`c${index}`, { ...IMAGE_RECORD, amount })) }],
  });
}

const twenty = Array.from({ length: 20 }, () => '0.04');

describe('a price that its reader could not read in full', () => {
  test('accuses nobody, and leaves its calls unchecked alone', () => {
    const result = charged('0.12', '0.08', '0.06');
    expect(brief(result)).toEqual([]);
    expect(result.calls.map(({ verdict }) => verdict)).toEqual([
      'not_checkable',
      'not_checkable',
      'not_checkable',
    ]);
    expect(result.inconclusive).not.toContain('the price book could not be read');
  });

  test('counts where twenty charges bear it out', () => {
    expect(new Set(charged(...twenty).calls.map(({ verdict }) => verdict))).toEqual(
      new Set(['within_bounds']),
    );
    expect(charged(...twenty, '0.08').findings).toMatchObject([{ direction: 'over' }]);
  });
});
