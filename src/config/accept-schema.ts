import * as z from 'zod';
import { FAULT_CLASSES } from '../contracts/fault-class.ts';
import { utcMoment } from './billing-schema.ts';
import { moneyText } from './money-text.ts';

/** A class stands alone or before its rule; the id of a group is 16 hex digits. */
function isCause(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text) || FAULT_CLASSES.some((name) => name === text.split(':')[0]);
}

/** The `accept:` list: known findings that are shown and do not gate. */
export const accept = z
  .array(
    z.strictObject({
      cause: z
        .string()
        .refine(isCause, {
          error: 'must be a class of findings, class:rule, or the id of a claim as the report names it',
        })
        .describe('Class of findings, `class:rule`, or the id of a claim.'),
      up_to_usd: moneyText.describe('Most that they may sum to, quoted. Above it they cause exit 5 again.'),
      until: utcMoment.describe('End: the first moment at which it no longer applies, UTC.'),
      by: z.string().min(1, { error: 'must name who accepts it' }).describe('Who accepts it.'),
      why: z.string().min(1, { error: 'must say why it is accepted' }).describe('Why.'),
    }),
  )
  .max(200);
