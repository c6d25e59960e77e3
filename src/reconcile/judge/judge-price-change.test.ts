import { expect, test } from 'vitest';
import type { Finding } from '../../contracts/finding.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { formatAmount } from '../../core/amount.ts';
import { formatInstant } from '../../core/time.ts';
import {
  archivedBook,
  bookDocument,
  IMAGE_RECORD,
  imageRow,
  judge,
  recordOf,
  START_MS,
  START_S,
  textRow,
} from '../reconcile.test-support.ts';

const COUNT = 80;
const INDEXES = Array.from({ length: COUNT }, (_, index) => index);

/** Prices of input and output in 10⁻¹² USD a token. */
type Prices = readonly [input: bigint, output: bigint];
const BOOK: Prices = [2_000_000n, 8_000_000n];
const DEAR: Prices = [2_500_000n, 9_000_000n];

/** A text call a second; `pricesOf` and `versionOf` say what the record of each is charged by and names. */
function audited(
  pricesOf: (index: number) => Prices,
  versionOf: (index: number) => string = () => 'v1',
  books = [archivedBook()],
): Reconciliation {
  const rows = INDEXES.map((index) =>
    textRow(`n${index}`, {
      started_at: formatInstant(START_MS + index * 1000),
      usage: { ...tokensOf(index), cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
    }),
  );
  const records = INDEXES.map((index) => {
    const { input, output } = tokensOf(index);
    const [ofInput, ofOutput] = pricesOf(index);
    const amount = formatAmount(BigInt(input) * ofInput + BigInt(output) * ofOutput);
    return recordOf(`n${index}`, {
      created_at: START_S + index,
      amount,
      reserved_amount: amount,
      refunded_amount: '0',
      input_tokens: input,
      output_tokens: output,
      pricing_version: versionOf(index),
    });
  });
  return judge({ rows, sweeps: [{ records, at_ms: START_MS + 3_600_000 }], books });
}

function tokensOf(index: number): { readonly input: number; readonly output: number } {
  return { input: 900 + ((index * 7919) % 5003), output: 40 + ((index * 104_729) % 701) };
}

function changes({ findings }: Reconciliation): readonly Finding[] {
  return findings.filter(({ rule }) => rule === 'changed_without_version');
}

test('prices that change under one version are one finding, at its moment, with both sides told', () => {
  const [found, ...more] = changes(audited((index) => (index < 50 ? BOOK : DEAR)));
  expect(more).toEqual([]);
  expect(found).toMatchObject({
    class: 'price_book_incoherent',
    confidence: 'proved',
    delta_exact: null,
    rows: 30,
    model: 'text-1',
  });
  expect(found?.explanation).toContain(`changed at ${formatInstant(START_MS + 50_000)}`);
  expect(found?.explanation).toContain(
    '50 charges of text-1 are those of the book, 30 from then on those of input_token $2.5 a million, output_token $9 a million',
  );
});

test('the book may as well be that of the later charges', () => {
  const [found] = changes(audited((index) => (index < 30 ? DEAR : BOOK)));
  expect(found?.explanation).toContain('50 charges of text-1 are those of the book, 30 until then those of');
});

test('a new version is no change under one, and nothing is told of it', () => {
  const dear = archivedBook(
    bookDocument({
      pricing_version: 'v2',
      models: [
        { id: 'text-1', kind: 'text', unit: 'per_1m_tokens', input: '2.5', output: '9', cache_read: '0.5' },
      ],
    }),
    'b'.repeat(64),
  );
  const result = audited(
    (index) => (index < 50 ? BOOK : DEAR),
    (index) => (index < 50 ? 'v1' : 'v2'),
    [archivedBook(), dear],
  );
  expect(result.findings).toEqual([]);
});

test('nothing is named by too few charges, by charges here and there, or where no charge is of the book', () => {
  expect(changes(audited((index) => (index < COUNT - 19 ? BOOK : DEAR)))).toEqual([]);
  expect(changes(audited((index) => (index < COUNT - 1 ? BOOK : DEAR)))).toEqual([]);
  expect(changes(audited((index) => (index % 3 === 0 ? DEAR : BOOK)))).toEqual([]);
  expect(changes(audited(() => DEAR))).toEqual([]);
});

test('images are told by the price of one', () => {
  const rows = INDEXES.map((index) =>
    imageRow(`n${index}`, {
      started_at: formatInstant(START_MS + index * 1000),
      units: { images: 1 + (index % 4), size: '1024x1024', quality: 'low', seconds: null, resolution: null },
    }),
  );
  const records = INDEXES.map((index) => {
    const amount = formatAmount(BigInt(1 + (index % 4)) * (index < 40 ? 20_000_000_000n : 30_000_000_000n));
    return recordOf(`n${index}`, {
      ...IMAGE_RECORD,
      created_at: START_S + index,
      amount,
      reserved_amount: amount,
    });
  });
  const [found] = changes(judge({ rows, sweeps: [{ records, at_ms: START_MS + 3_600_000 }] }));
  expect(found?.explanation).toContain('40 from then on those of image $0.03');
});
