import * as z from 'zod';
import { parseAmount } from '../core/amount.ts';

const RULE =
  'must be USD as quoted decimal text such as "2.00" with at most 12 decimals (quote it: a bare number is a float)';

/** A non-negative USD amount. A YAML number is refused: it has already passed through a float. */
export const moneyText = z
  .string({ error: RULE })
  .refine((text) => (parseAmount(text) ?? -1n) >= 0n, { error: RULE });
