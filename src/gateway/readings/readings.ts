import * as z from 'zod';
import { answerReadings } from './answer-readings.ts';
import { priceReadings } from './price-readings.ts';
import { recordReadings } from './record-readings.ts';
import { usageReadings } from './usage-readings.ts';

const shape = { ...priceReadings, ...recordReadings, ...usageReadings, ...answerReadings };

type Given = Readonly<z.infer<z.ZodObject<typeof shape>>>;

/** What of these readings excludes another: the money would be told twice, or nowhere. */
function exclusions({ amount, unused_reserve, failed_call, call_records, totals_settled }: Given) {
  const found: [keyof Given, string][] = [];
  if (amount === 'gross') {
    if (unused_reserve !== 'refunded')
      found.push(['unused_reserve', 'must be refunded where amount is gross']);
    if (failed_call !== 'refunded') found.push(['failed_call', 'must be refunded where amount is gross']);
    if (call_records === 'reserve_and_settlement')
      found.push(['call_records', 'cannot be this where amount is gross']);
  }
  if (totals_settled === 'gross' && (amount === 'gross' || failed_call === 'gross'))
    found.push(['totals_settled', 'cannot be gross where records are']);
  if (call_records === 'reserve_and_settlement' && unused_reserve !== 'refunded')
    found.push(['unused_reserve', 'must be left out where two records tell it']);
  return found;
}

/** Every choice that the interface leaves open, and what the gateway chooses unless told otherwise. */
export const readingsSchema = z
  .strictObject(shape)
  .refine((given) => given.page_default <= given.page_max, {
    error: 'must not be above page_max',
    path: ['page_default'],
  })
  .superRefine((given, context) => {
    for (const [path, message] of exclusions(given))
      context.addIssue({ code: 'custom', path: [path], message });
  })
  .describe('How the embedded gateway reads what the interface leaves open.');

export type Readings = Readonly<z.infer<typeof readingsSchema>>;

/** The choices of docs/decisions/0002. */
export const OWN_READINGS: Readings = readingsSchema.parse({});
