import { parseAmount } from '../core/amount.ts';
import type { PriceCover } from './cover-prices.ts';

/** The cover for a reader: each call with its cost and what it goes over, the sums, and what stays out. */
export function coverLines(cover: PriceCover, cap: string | null): readonly string[] {
  const { calls, usd, worst_case_usd: worst, lines, not_covered } = cover;
  return [
    ...calls.flatMap((call) => [
      `${call.kind} ${call.model}: ${call.ask}: ${priceText(call.usd, call.worst_case_usd)}`,
      ...(call.covers.length === 0 ? [] : [`  goes over ${call.covers.join(', ')}`]),
    ]),
    `total: ${calls.length} calls over ${lines.covered} of ${lines.of} price lines and tier edges, ${priceText(usd, worst)}`,
    capText(worst, cap),
    ...not_covered.map(({ model, line, why }) => `not covered: ${model} ${line}: ${why}`),
  ];
}

function priceText(usd: string, worst: string | null): string {
  return `$${usd}, worst case ${worst === null ? 'not bounded by the book' : `$${worst}`}`;
}

function capText(worst: string | null, cap: string | null): string {
  if (cap === null) return 'cap: none is set; --max-spend-usd would have to hold the worst case';
  const [most, held] = [worst, cap].map((text) => (text === null ? null : parseAmount(text)));
  if (most == null || held == null) return `cap $${cap}: it cannot be said to hold all calls`;
  return held >= most
    ? `cap $${cap}: holds the worst case of all of them`
    : `cap $${cap}: below the worst case, so that it may keep calls from being sent`;
}
