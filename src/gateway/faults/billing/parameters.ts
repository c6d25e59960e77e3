import * as z from 'zod';
import type { PicoUsd } from '../../../core/amount.ts';
import { AMOUNT_SCALE, parseAmount } from '../../../core/amount.ts';
import { parseDecimal } from '../../../core/decimal.ts';
import { divideRounded } from '../../../core/rounding.ts';
import type { RoundingRule } from '../../prices/rounding-rule.ts';

const MAX_WAIT_MS = 86_400_000;

/** USD above 0 as decimal text. */
export function usdParameter(standard: string) {
  return z
    .string()
    .regex(/^\d{1,6}(\.\d{1,12})?$/, { error: 'must be USD as decimal text, such as "0.01"' })
    .default(standard);
}

/** A factor as decimal text. */
export function factor(standard: string) {
  return z
    .string()
    .regex(/^\d{1,4}(\.\d{1,6})?$/, { error: 'must be a factor as decimal text, such as "1.1"' })
    .default(standard);
}

export function afterMs(standard: number) {
  return z
    .int()
    .min(0)
    .max(MAX_WAIT_MS)
    .default(standard)
    .describe('Time after the end of the call, or until the gateway stops if that is earlier.');
}

/** The amount of a parameter of this form. */
export function amountParameter(text: string): PicoUsd {
  const amount = parseAmount(text);
  if (amount === null) throw new RangeError(`no amount: ${text}`);
  return amount;
}

/** An amount times a factor, rounded by the rule of the gateway. */
export function timesFactor(
  amount: PicoUsd,
  text: string,
  { decimals, mode, steps = 1n }: RoundingRule,
): PicoUsd {
  const by = parseDecimal(text);
  if (by === null) throw new RangeError(`no factor: ${text}`);
  const step = steps * 10n ** BigInt(AMOUNT_SCALE - decimals);
  return divideRounded(amount * by.digits, step * 10n ** BigInt(by.scale), mode) * step;
}
