import * as z from 'zod';
import { READING_VALUES, STATUS_READINGS } from '../contracts/billing-readings.ts';
import { POLICY_ANSWERS } from '../contracts/billing-terms.ts';
import type { Rounding } from '../contracts/price-book.ts';
import { parseAmount } from '../core/amount.ts';
import { ROUNDING_MODES } from '../core/rounding.ts';
import { optional } from './key-schemas.ts';
import { moneyText } from './money-text.ts';

const ROUNDING_RULE = `must be auto, or MODE/QUANTUM such as half_up/0.000001; modes: ${ROUNDING_MODES.join(', ')}`;

const MODE = z.enum(ROUNDING_MODES);

/** `half_up/0.000001` as a rounding; null where the text is none. */
export function declaredRounding(text: string): Rounding | null {
  const [mode, quantum, ...more] = text.split('/');
  const [read, amount] = [MODE.safeParse(mode), moneyText.safeParse(quantum)];
  if (!read.success || !amount.success || more.length > 0 || (parseAmount(amount.data) ?? 0n) <= 0n)
    return null;
  return { scope: 'untold', quantum: amount.data, mode: read.data, pre: [] };
}

/** Keys of `billing.readings`, which `--assume-reading` takes by the same names; of `status` each word. */
export const readingKeys = {
  amount: optional(
    z.enum(READING_VALUES.amount),
    'Whether amounts are after the refund. auto: decided from the records.',
  ),
  input_tokens: optional(
    z.enum(READING_VALUES.input_tokens),
    'Whether input tokens of records include cache tokens.',
  ),
  output_tokens: optional(
    z.enum(READING_VALUES.output_tokens),
    'Whether output tokens include reasoning tokens. auto: as the price book says.',
  ),
  created_at: optional(z.enum(READING_VALUES.created_at), 'Moment by which records are dated.'),
  rounding: optional(
    z.string().refine((text) => text === 'auto' || declaredRounding(text) !== null, { error: ROUNDING_RULE }),
    'Rounding if the price book does not tell it, such as half_up/0.000001. auto: found from the charges.',
  ),
  totals_settled: optional(
    z.enum(READING_VALUES.totals_settled),
    'What settled_amount of the totals sums: amounts of settled or of all final records, with refunds subtracted, added or ignored.',
  ),
  totals_pending: optional(z.enum(READING_VALUES.totals_pending), 'What pending_amount of the totals sums.'),
  totals_refunded: optional(
    z.enum(READING_VALUES.totals_refunded),
    'Whether refunded_amount of the totals covers all records, or only refunded ones.',
  ),
  status: optional(
    z.record(z.string().min(1).max(80), z.enum(STATUS_READINGS)),
    'Meaning of billing statuses that the interface does not name, such as `released: refunded` or `free: waived`.',
  ),
};

const policyAnswer = z.enum(POLICY_ANSWERS).optional();

/** Keys of `billing.policy`, which `--assume-reading` takes too. */
export const policyKeys = {
  empty_output: policyAnswer.describe('Whether a complete answer without any output may be charged.'),
  server_error: policyAnswer.describe('Whether a call that ended with a 5xx may be charged.'),
  aborted: policyAnswer.describe('Whether what was delivered before a stream was cut may be charged.'),
};
