import { expect, test } from 'vitest';
import { acceptedWords, overWords } from './accepted-words.ts';

const held = {
  cause: 'amount_mismatch',
  up_to_usd: '1',
  until: '2026-12-01',
  by: 'Ada',
  why: 'a rebate comes in December',
  state: 'holds' as const,
  findings: 2,
  usd: '0.5',
};

test('an acceptance is shown with who, why and until when', () => {
  expect(acceptedWords(held)).toBe(
    'amount_mismatch: 2 findings, $0.5 of $1, accepted by Ada until 2026-12-01: a rebate comes in December',
  );
  expect(overWords(held)).toBeNull();
});

test('one that is over is said loudly, and only where it covers something', () => {
  const over = 'THE ACCEPTANCE OF amount_mismatch BY Ada IS OVER:';
  expect(overWords({ ...held, state: 'expired' })).toBe(`${over} it held until 2026-12-01`);
  expect(overWords({ ...held, state: 'exceeded', usd: '2' })).toBe(`${over} $2 is more than $1`);
  expect(overWords({ ...held, state: 'expired', findings: 0 })).toBeNull();
});
