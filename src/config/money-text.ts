import * as z from 'zod';
import { parseAmount } from '../core/amount.ts';

const RULE =
  'must be USD as quoted decimal text such as "2.00" with at most 12 decimals (quote it: a bare number is a float)';

/** A non-negative USD amount. A YAML number is refused: it has already passed through a float. */
export const moneyText = amountText(RULE);

/** The same from a flag or an environment variable, which are text in any case. */
export const moneySetting = amountText('must be USD such as 2.00');

function amountText(rule: string) {
  return z.string({ error: rule }).refine((text) => (parseAmount(text) ?? -1n) >= 0n, { error: rule });
}
