import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { PriceBook } from '../../contracts/price-book.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { parseDecimal } from '../../core/decimal.ts';
import { compareRational, rationalOf } from '../../core/rational.ts';
import { readBook, textBook } from '../price-book.test-support.ts';
import { readPriceBook } from '../read/read-price-book.ts';
import { contextOf } from './charge-context.ts';
import { type ChargeFacts, NO_FACTS, type Quantity } from './charge-facts.ts';
import type { Charge } from './charge-result.ts';
import { evaluateCharge } from './evaluate-charge.ts';
import { entriesOf } from './match-model.ts';
import { priceBounds } from './price-bounds.ts';

const count = z.number().int().optional();
const golden = z
  .object({
    books: z.array(z.unknown()),
    cases: z.array(
      z.tuple([
        z.number(),
        z.string(),
        z.object({
          input: count,
          output: count,
          cache_read: count,
          cache_write: count,
          images: count,
          size: z.string().optional(),
          quality: z.string().optional(),
          seconds: count,
          resolution: z.string().optional(),
        }),
        z.string(),
        z.string(),
      ]),
    ),
  })
  .parse(
    JSON.parse(readFileSync(new URL('../../../test/corpus/charges/evaluate.json', import.meta.url), 'utf8')),
  );

type GoldenFacts = (typeof golden.cases)[number][2];

function factsOf(facts: GoldenFacts): ChargeFacts {
  const big = (value: number | undefined): Quantity => (value === undefined ? null : BigInt(value));
  return {
    ...NO_FACTS,
    input: big(facts.input),
    output: big(facts.output),
    cache_read: big(facts.cache_read),
    cache_write: big(facts.cache_write),
    images: big(facts.images),
    size: facts.size ?? null,
    quality: facts.quality ?? null,
    seconds: big(facts.seconds),
    resolution: facts.resolution ?? null,
  };
}

function charged(book: PriceBook, model: string, facts: ChargeFacts): Charge {
  const kind = entriesOf(book, model)[0]?.kind;
  const result = evaluateCharge(
    book,
    facts,
    contextOf(model, kind === undefined || kind === 'text' ? 'chat' : kind),
  );
  if ('unpriced' in result) throw new Error(result.unpriced);
  return result;
}

test("agrees with Python's decimal over every meter, mode and adjustment", () => {
  const books = golden.books.map((document) => readBook(document));
  expect(golden.cases.length).toBeGreaterThanOrEqual(1_800);
  for (const [index, model, facts, exact, rounded] of golden.cases) {
    const book = books[index];
    const decimal = parseDecimal(exact);
    if (book === undefined || decimal === null) throw new Error(`no book ${index}`);
    const charge = charged(book, model, factsOf(facts));
    expect(
      charge.rounded === null ? null : formatAmount(charge.rounded),
      JSON.stringify([index, model, facts]),
    ).toBe(rounded);
    expect(charge.exact === null ? null : compareRational(charge.exact, rationalOf(decimal))).toBe(0);
    expect([charge.lo, charge.hi]).toEqual([charge.rounded, charge.rounded]);
  }
});

/** Tokens of which none was cached. */
const PLAIN: ChargeFacts = { ...NO_FACTS, cache_read: 0n, cache_write: 0n };

const tokens = fc.integer({ min: 0, max: 5_000_000 }).map(BigInt);
const prices = fc.record({
  input: fc.integer({ min: 0, max: 9_999_999 }),
  output: fc.integer({ min: 0, max: 9_999_999 }),
  cache_read: fc.integer({ min: 0, max: 9_999_999 }),
  cache_write: fc.integer({ min: 0, max: 9_999_999 }),
});

describe('intervals', () => {
  test('hold the charge of every point inside them', () => {
    fc.assert(
      fc.property(
        prices,
        tokens,
        tokens,
        tokens,
        tokens,
        fc.array(tokens, { minLength: 4, maxLength: 4 }),
        (price, a, b, c, d, slack) => {
          const book = textBook(price);
          const input = a + b + c;
          const point = { ...NO_FACTS, input, output: d, cache_read: b, cache_write: c };
          const wide = (value: bigint, room: bigint | undefined): Quantity => ({
            lo: value > (room ?? 0n) ? value - (room ?? 0n) : 0n,
            hi: value + (room ?? 0n),
          });
          const around = {
            ...NO_FACTS,
            input: wide(input, slack[0]),
            output: wide(d, slack[1]),
            cache_read: wide(b, slack[2]),
            cache_write: wide(c, slack[3]),
          };
          const inner = charged(book, 'm', point);
          const outer = charged(book, 'm', around);
          expect(outer.lo <= inner.lo && inner.hi <= outer.hi).toBe(true);
        },
      ),
    );
  });

  test('an interval of one point is that point', () => {
    const book = textBook({ input: 150_000, output: 600_000, cache_read: 75_000, cache_write: 187_500 });
    const fact = { lo: 7n, hi: 7n };
    const point = charged(book, 'm', { ...PLAIN, input: 7n, output: 7n });
    expect(charged(book, 'm', { ...PLAIN, input: fact, output: fact }).rounded).toBe(point.rounded);
  });

  test('an auto quality leaves the whole range of tiers, a named one its tier alone', () => {
    const book = readBook({
      models: [
        {
          id: 'i',
          kind: 'image',
          unit: 'per_image',
          tiers: [
            { size: '1024x1024', quality: 'low', price: '0.01' },
            { size: '1024x1024', quality: 'high', price: '0.17' },
            { size: '2048x2048', quality: 'high', price: '0.4' },
          ],
        },
      ],
    });
    const of = (quality: string | null): Charge =>
      charged(book, 'i', { ...NO_FACTS, images: 2n, size: '1024x1024', quality });
    expect([of('auto').lo, of('auto').hi, of('auto').rounded]).toEqual([usd('0.02'), usd('0.34'), null]);
    expect(of('high').rounded).toBe(usd('0.34'));
    expect(
      evaluateCharge(
        book,
        { ...NO_FACTS, images: 1n, size: '64x64', quality: 'low' },
        contextOf('i', 'image'),
      ),
    ).toEqual({
      unpriced: 'the book gives no price of "i" for size 64x64, quality low',
      why: 'component',
    });
  });
});

test('rounding of a sum is not the sum of roundings: a record is rounded once', () => {
  const book = textBook({ input: 4_000, output: 4_000, cache_read: 0, cache_write: 0 });
  expect(charged(book, 'm', { ...PLAIN, input: 1n, output: 1n }).rounded).toBe(usd('0.00000001'));
  expect(charged(book, 'm', { ...PLAIN, input: 1n, output: 0n }).rounded).toBe(0n);
});

test('more tokens never cost less, and two calls cost one with all their tokens before rounding', () => {
  fc.assert(
    fc.property(prices, tokens, tokens, tokens, tokens, (price, a, b, c, d) => {
      const book = textBook(price);
      const one = charged(book, 'm', { ...PLAIN, input: a, output: b });
      const two = charged(book, 'm', { ...PLAIN, input: c, output: d });
      const both = charged(book, 'm', { ...PLAIN, input: a + c, output: b + d });
      expect(both.lo >= one.lo && both.lo >= two.lo).toBe(true);
      const apart = one.lo + two.lo - both.lo;
      const quantum = usd('0.00000001');
      expect(apart <= quantum && apart >= -quantum).toBe(true);
    }),
  );
});

test('the lines of a charge show each meter with its units, bounds where it has them', () => {
  const book = textBook({ input: 2_000_000, output: 8_000_000, cache_read: 500_000, cache_write: 3_000_000 });
  const facts = {
    ...NO_FACTS,
    input: 1_000n,
    output: { lo: 0n, hi: 10n },
    cache_read: { lo: 0n, hi: 100n },
    cache_write: 50n,
  };
  expect(
    charged(book, 'm', facts).lines.map(({ meter, units, subtotal }) => `${meter} ${units} ${subtotal}`),
  ).toEqual([
    'input_token 850..950 0.0017..0.0019',
    'cache_read_token 0..100 0..0.00005',
    'cache_write_token 50 0.00015',
    'output_token 0..10 0..0.00008',
  ]);
});

test('a model that the book lacks, or a fact that is not known, is unpriced and never free', () => {
  const book = textBook({ input: 1, output: 1, cache_read: 1, cache_write: 1 });
  const of = (model: string, facts: Partial<ChargeFacts>) =>
    evaluateCharge(book, { ...NO_FACTS, ...facts }, contextOf(model, 'chat'));
  expect(of('other', { input: 1n, output: 1n })).toEqual({
    unpriced: 'the book has no model "other"',
    why: 'model',
  });
  expect(of('m', { input: 1n })).toEqual({
    unpriced: 'the number of output tokens is not known',
    why: 'units',
  });
  expect(of('m', { input: 1n, output: 1n, cache_read: 2n })).toEqual({
    unpriced: 'cache tokens exceed the input tokens',
    why: 'units',
  });
});

test('no charge exceeds the price bound by which the spend cap reserves', () => {
  const books = golden.books.map((document) => readBook(document));
  for (const [index, model, facts] of golden.cases) {
    const book = books[index];
    if (book === undefined) throw new Error(`no book ${index}`);
    const kind = facts.images !== undefined ? 'image' : facts.seconds !== undefined ? 'video' : 'chat';
    const bound = priceBounds(book, model, kind, { images: facts.images ?? 0, seconds: facts.seconds ?? 0 });
    if (bound === null) throw new Error(`no bound for ${model}`);
    const most =
      BigInt(bound.per_input_token) * BigInt(facts.input ?? 0) +
      BigInt(bound.per_output_token) * BigInt(facts.output ?? 0) +
      BigInt(bound.fixed);
    expect(charged(book, model, factsOf(facts)).hi <= most).toBe(true);
  }
});

test('prices given as JSON numbers are read digit for digit', () => {
  const text = JSON.stringify({
    object: 'pricebook',
    pricebook_id: 'p',
    pricing_version: 'v',
    currency: 'USD',
    models: [{ id: 'm', kind: 'text', unit: 'per_1m_tokens', input: 'IN', output: '0' }],
  }).replace('"IN"', '0.1000000000000000055511151231257827');
  const reading = readPriceBook(new TextEncoder().encode(text));
  if ('unreadable' in reading) throw new Error(reading.unreadable.join());
  expect(reading.book.models[0]?.components[0]?.price).toBe('0.1000000000000000055511151231257827');
});

function usd(text: string): PicoUsd {
  const decimal = parseDecimal(text);
  if (decimal === null) throw new Error(text);
  return decimal.digits * 10n ** BigInt(12 - decimal.scale);
}
