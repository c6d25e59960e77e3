import { expect, it } from 'vitest';
import { exactly } from '../expect/charge.ts';
import { amountStep } from './amount-step.ts';

it('a charge below the due one gives nothing to claim', () => {
  expect(amountStep(exactly(3n), exactly(2n))).toMatch(/^Ask the operator how/);
  expect(amountStep(exactly(1n), exactly(2n))).toMatch(/^Nothing to claim/);
  // What is open on both sides may still be claimed.
  expect(amountStep({ ...exactly(1n), hi: 3n }, exactly(2n))).toMatch(/^Ask the operator how/);
});
