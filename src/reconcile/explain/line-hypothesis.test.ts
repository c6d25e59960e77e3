import { expect, test } from 'vitest';
import { contextOf } from '../../pricebook/charge/charge-context.ts';
import { NO_FACTS } from '../../pricebook/charge/charge-facts.ts';
import { archivedBook } from '../reconcile.test-support.ts';
import { documentOf, MODEL } from './hypotheses.test-support.ts';
import { lineHypothesis } from './line-hypothesis.ts';

const { reading } = archivedBook(documentOf());
if ('unreadable' in reading) throw new Error(reading.unreadable.join());
const { book } = reading;

/** What the book charges by this quantum for so many tokens read from the cache, of $0.3 a million each. */
function spanOf(read: bigint, quantum: string, rounding_open: boolean) {
  const row = {
    key: '',
    record_id: '',
    charged: 0n,
    due: 0n,
    exact: null,
    reserved: null,
    facts: { ...NO_FACTS, input: read, cache_read: read, cache_write: 0n, output: 0n, images: 0n, tools: {} },
    context: contextOf(MODEL, 'chat'),
    book: { ...book, rounding: { ...book.rounding, quantum } },
    rounding_open,
  };
  return lineHypothesis({ name: 'x', class: 'service_tier_price', told: 'x' }).charge(row);
}

test('a sum in the middle may have become either amount where the rounding is not told', () => {
  expect(spanOf(5n, '0.000001', true)).toEqual({ lo: 1_000_000n, hi: 2_000_000n });
  expect(spanOf(5n, '0.000001', false)).toEqual({ lo: 2_000_000n, hi: 2_000_000n });
  expect(spanOf(5n, '0.0000001', true)).toEqual({ lo: 1_500_000n, hi: 1_500_000n });
  expect(spanOf(6n, '0.000001', true)).toEqual({ lo: 2_000_000n, hi: 2_000_000n });
});
