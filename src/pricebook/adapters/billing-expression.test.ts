import { expect, test } from 'vitest';
import { billingExpression } from './billing-expression.ts';

function read(text: string): readonly string[] | null {
  const prices = billingExpression(text);
  if (prices === null) return null;
  const line = (components: typeof prices.components): string =>
    components.map(({ meter, price, ttl }) => `${meter}${ttl ?? ''} ${price}`).join(', ');
  return [
    line(prices.components),
    ...(prices.tiers?.thresholds ?? []).map(
      ({ above, components }) => `${prices.tiers?.inclusive} ${above}: ${line(components)}`,
    ),
  ];
}

test.each<[string, string[]]>([
  ['tier("base", p * 2.5 + c * 15)', ['input_token 2.5, output_token 15']],
  ['v1:tier("base", 2.5 * p + cr * 0.25)', ['input_token 2.5, output_token 0, cache_read_token 0.25']],
  ['tier("free", fixed(0))', ['input_token 0, output_token 0, request 0']],
  [
    'len > 200000 ? tier("long", p * 6 + cc * 7.5) : tier("short", p * 3)',
    [
      'input_token 3, output_token 0, cache_write_token 3',
      'gt 200000: input_token 6, output_token 0, cache_write_token 7.5',
    ],
  ],
  [
    'len < 1000 ? tier("a", p * 1) : len < 5000 ? tier("b", p * 2) : tier("c", p * 3)',
    [
      'input_token 1, output_token 0',
      'ge 1000: input_token 2, output_token 0',
      'ge 5000: input_token 3, output_token 0',
    ],
  ],
])('%s', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  'p * 3',
  'tier("a", p * 3) * 2',
  'tier("a", p * 3) ||| when(hour("UTC") > 8) * 2',
  'tier("a", p * 3 + p * 4)',
  'tier("a", p * 3 + img * 2)',
  'tier("a", p * -3)',
  'tier("a", p * 3 + fixed(1))',
  'len <= 9 ? tier("a", p * 1) : len < 20 ? tier("b", p * 2) : tier("c", p * 3)',
  'len <= 9 ? tier("a", p * 1) : len <= 5 ? tier("b", p * 2) : tier("c", p * 3)',
  'p <= 9 ? tier("a", p * 1) : tier("b", p * 2)',
  'len <= 9 ? tier("a", p * 1)',
  '',
])('%s is not read', (text) => {
  expect(billingExpression(text)).toBeNull();
});
