import { expect, test } from 'vitest';
import { findingTitle } from './finding-title.ts';

test.each([
  ['duplicate_charge', 'proved', 'over', 'Billed twice'],
  ['duplicate_charge', 'strong', 'over', 'Two charges for one request'],
  ['amount_mismatch', 'proved', 'over', 'Overcharged'],
  ['amount_mismatch', 'strong', 'over', 'Charged above the price list by our calculation'],
  ['amount_mismatch', 'proved', 'under', 'Charged below the price list by our calculation'],
  ['charged_on_rejected', 'proved', 'over', 'Refused call charged'],
] as const)('%s, %s, %s: %s', (name, confidence, direction, title) => {
  expect(findingTitle({ class: name, confidence, direction })).toBe(title);
});
