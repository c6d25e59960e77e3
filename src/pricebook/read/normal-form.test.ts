import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { priceBookSchema } from '../../contracts/price-book.ts';
import { formatAmount } from '../../core/amount.ts';
import { PAID_KINDS } from '../../core/call-kind.ts';
import { type Decimal, parseDecimal } from '../../core/decimal.ts';
import { compareRational, rational } from '../../core/rational.ts';
import { type ChargeFacts, NO_FACTS } from '../charge/charge-facts.ts';
import { evaluateCharge } from '../charge/evaluate-charge.ts';

const count = z.number().int().optional();
const golden = z
  .object({
    books: z.array(priceBookSchema),
    cases: z.array(
      z.tuple([
        z.number(),
        z.string(),
        z.enum(PAID_KINDS),
        z.string(),
        z.object({
          input: count,
          output: count,
          cache_read: count,
          cache_write: count,
          cache_write_1h: count,
          reasoning: count,
          image_input: count,
          image_output: count,
          audio_input: count,
          audio_output: count,
          seconds: z.string().optional(),
          tools: z.record(z.string(), z.number().int()).optional(),
        }),
        z.string(),
        z.string(),
      ]),
    ),
  })
  .parse(
    JSON.parse(
      readFileSync(new URL('../../../test/corpus/charges/normal-form.json', import.meta.url), 'utf8'),
    ),
  );

function factsOf({ seconds, tools, ...counts }: (typeof golden.cases)[number][4]): ChargeFacts {
  const length = seconds === undefined ? null : parseDecimal(seconds);
  const known = Object.entries(counts).map(([name, value]) => [name, BigInt(value ?? 0)]);
  return {
    ...NO_FACTS,
    ...Object.fromEntries(known),
    ...(length === null ? {} : { seconds: wholeSeconds(length), seconds_exact: length }),
    tools: Object.fromEntries(Object.entries(tools ?? {}).map(([name, calls]) => [name, BigInt(calls)])),
  };
}

function wholeSeconds({ digits, scale }: Decimal): ChargeFacts['seconds'] {
  const unit = 10n ** BigInt(scale);
  const lo = digits / unit;
  return digits % unit === 0n ? lo : { lo, hi: lo + 1n };
}

test("agrees with Python's fractions over tiers, minima, rounding, reasoning, lives, media and steps", () => {
  expect(golden.cases.length).toBe(1_440);
  const tiers = new Set<string | null>();
  for (const [index, model, endpoint, group, told, exact, rounded] of golden.cases) {
    const book = golden.books[index];
    if (book === undefined) throw new Error(`no book ${index}`);
    const context = { model, endpoint, at_s: 0, when: {}, group, key_fp: 'k' };
    const charge = evaluateCharge(book, factsOf(told), context);
    if ('unpriced' in charge) throw new Error(`${model}: ${charge.unpriced}`);
    const shown = JSON.stringify([index, model, endpoint, group, told]);
    expect(charge.rounded === null ? null : formatAmount(charge.rounded), shown).toBe(rounded);
    const [num, den] = exact.split('/').map(BigInt);
    expect(charge.exact === null ? null : compareRational(charge.exact, rational(num ?? 0n, den ?? 1n))).toBe(
      0,
    );
    expect([charge.lo, charge.hi]).toEqual([charge.rounded, charge.rounded]);
    tiers.add(charge.tier);
  }
  expect(tiers.size).toBeGreaterThan(8);
});
