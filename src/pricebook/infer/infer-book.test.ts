import { expect, test } from 'vitest';
import { contextOf } from '../charge/charge-context.ts';
import { NO_FACTS } from '../charge/charge-facts.ts';
import { evaluateCharge } from '../charge/evaluate-charge.ts';
import { type ChargedFacts, inferBooks, observationsOf } from './infer-book.ts';

function textCharge(index: number, amountOf: (input: bigint, output: bigint) => bigint): ChargedFacts {
  const input = BigInt(900 + ((index * 7919) % 5003));
  const output = BigInt(40 + ((index * 104_729) % 701));
  return {
    pricebook_id: 'pb',
    pricing_version: 'v1',
    model: 'm',
    endpoint: 'chat',
    facts: { ...NO_FACTS, input, output, cache_read: 0n, cache_write: 0n, images: 0n, tools: {} },
    amount: amountOf(input, output),
    at_s: index,
  };
}

const charges = Array.from({ length: 60 }, (_, index) =>
  textCharge(index, (input, output) => input * 3_000_000n + output * 15_000_000n),
);
const images = [1n, 2n, 3n, 1n, 2n, 3n, 1n, 2n].map(
  (count, index): ChargedFacts => ({
    ...textCharge(index, () => count * 40_000_000_000n),
    model: 'i',
    endpoint: 'image',
    facts: { ...NO_FACTS, images: count, size: '1024x1024', quality: 'low', tools: {} },
  }),
);

test('a book of what the charges share prices the next call, and says that it is inferred', () => {
  const [inferred] = inferBooks([...charges, ...images]);
  if (inferred === undefined) throw new Error('nothing inferred');
  expect(inferred.lines).toEqual([
    {
      model: 'm',
      endpoint: 'chat',
      fit: 60,
      of: 60,
      undetermined: ['cache_read_token', 'cache_write_token'],
    },
    { model: 'i', endpoint: 'image', fit: 8, of: 8, undetermined: [] },
  ]);
  const { facts } = textCharge(0, () => 0n);
  const charge = evaluateCharge(
    inferred.book,
    { ...facts, input: 1000n, output: 100n },
    contextOf('m', 'chat'),
  );
  expect(charge).toMatchObject({ rounded: 4_500_000_000n, grade: 'inferred' });
  const image = evaluateCharge(
    inferred.book,
    { ...NO_FACTS, images: 5n, size: '1024x1024', quality: 'low', tools: {} },
    contextOf('i', 'image'),
  );
  expect(image).toMatchObject({ rounded: 200_000_000_000n });
});

test('charges without figures, or too few of them, give no book', () => {
  expect(inferBooks(charges.slice(0, 5))).toEqual([]);
  expect(
    inferBooks(charges.map((charge) => ({ ...charge, facts: { ...charge.facts, output: null } }))),
  ).toEqual([]);
});

test('plain input is what neither came from the cache nor went into it', () => {
  const facts = { ...NO_FACTS, input: 100n, cache_read: 30n, cache_write: 20n };
  const charged = { facts, amount: 5n, at_s: 1 };
  expect(observationsOf(['input_token', 'cache_read_token', 'cache_write_token'], charged)).toEqual([
    { units: [50n, 30n, 20n], amount: 5n, at_s: 1 },
  ]);
});
