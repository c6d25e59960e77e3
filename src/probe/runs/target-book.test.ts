import { expect, test } from 'vitest';
import type { ReadResult } from '../../client/read-result.ts';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import { FakeClock } from '../fake-clock.test-support.ts';
import { TargetBook } from './target-book.ts';

const MINUTE_MS = 60_000;

function served(version: string): ReadResult<string> {
  const model = { id: 'm', kind: 'video', unit: 'per_second', price: '0.1' };
  const body = JSON.stringify({
    object: 'pricebook',
    pricebook_id: 'pb',
    pricing_version: version,
    currency: 'USD',
    models: [model],
  });
  const bytes = new TextEncoder().encode(body);
  return { ok: true, status: 200, body, bytes, sha256: '', numbersAsText: 0, requestId: null };
}

test('no paid call rests on a book that was read more than five minutes ago, where one can be had', async () => {
  const clock = new FakeClock();
  const answers = [served('v1'), served('v2')];
  const billing = { book: { adapter: 'auto', file: null, mapping: null }, terms: NO_TERMS } as const;
  let reads = 0;
  const book = new TargetBook(billing, clock, () => {
    const answer = answers[reads];
    reads += 1;
    if (answer === undefined) throw new Error('read too often');
    return Promise.resolve(answer);
  });
  const version = async () => (await book.inForce())?.pricing_version;
  expect([await version(), reads]).toEqual(['v1', 1]);
  await clock.advance(5 * MINUTE_MS);
  expect([await version(), reads]).toEqual(['v1', 1]);
  await clock.advance(1);
  expect([await version(), reads]).toEqual(['v2', 2]);
  // What a probe reads counts as well.
  await clock.advance(4 * MINUTE_MS);
  const third = served('v3');
  if (third.ok) book.take(third);
  await clock.advance(4 * MINUTE_MS);
  expect([await version(), reads]).toEqual(['v3', 2]);
});
