import { z } from 'zod';
import { parseAmount } from '../../core/amount.ts';
import { TEXT_KINDS } from '../../core/call-kind.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import { ACCEPTED_TELLING_SQL, CHARGES_SQL, DATING_SQL, recordSumsSql } from './acceptance-sql.ts';
import type { AcceptedSums, AssumedReadings } from './accepted-sums.ts';

/** Sums come as decimals of 12 places. */
const pico = z.string().transform((text) => {
  const amount = parseAmount(text);
  if (amount === null) throw new RangeError(`read-sums: expected USD with 12 decimals, found ${text}`);
  return amount;
});

const charges = z.object({
  cell: z.number(),
  kind: z.enum(TEXT_KINDS),
  day: z.string(),
  calls: z.number(),
  charged: pico,
  expected: pico,
  refunded: pico,
});

const records = z.object({
  sweep: z.number(),
  pass: z.number().nullable(),
  model: z.string().transform((text) => z.string().parse(JSON.parse(text))),
  day: z.string(),
  records: z.number(),
  amount: pico,
  reserved: pico,
  refunded: pico,
});

const dating = z.object({ anchor: z.enum(['start', 'end']), offset_s: z.number(), pairs: z.number() });

const telling = z.object({
  calls: z.number(),
  first_started_ms: z.number().nullable(),
  last_sign_ms: z.number().nullable(),
  net: z.number(),
  gross: z.number(),
  inside: z.number(),
  beside: z.number(),
});

/** The sums over table `accepted`. */
export async function acceptedSums(
  store: Store,
  assumed: AssumedReadings,
  several: boolean,
): Promise<AcceptedSums> {
  const [told] = await store.rows(ACCEPTED_TELLING_SQL, telling);
  return {
    assumed,
    calls: told?.calls ?? 0,
    first_started_ms: told?.first_started_ms ?? null,
    last_sign_ms: told?.last_sign_ms ?? null,
    charges: await store.rows(CHARGES_SQL, charges),
    records: await store.rows(recordSumsSql(several), records),
    dating: await store.rows(DATING_SQL, dating),
    telling: {
      net: told?.net ?? 0,
      gross: told?.gross ?? 0,
      inside: told?.inside ?? 0,
      beside: told?.beside ?? 0,
    },
  };
}
