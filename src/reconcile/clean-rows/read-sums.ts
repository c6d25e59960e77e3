import { z } from 'zod';
import { parseAmount } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import type { AcceptedSums, AssumedReadings } from '../records/accepted-sums.ts';
import { ACCEPTED_TELLING_SQL, GROUPS_SQL, recordSumsSql } from './witnesses-sql.ts';

/** Sums come as decimals of 12 places. */
const pico = z.string().transform((text) => {
  const amount = parseAmount(text);
  if (amount === null) throw new RangeError(`read-sums: expected USD with 12 decimals, found ${text}`);
  return amount;
});

/** Ids are kept in their JSON form. */
const id = z.string().transform((text) => z.string().parse(JSON.parse(text)));

const group = z.object({ place: z.number(), calls: z.number(), charged: pico, refunded: pico });

const records = z.object({
  sweep: z.number(),
  pass: z.number().nullable(),
  model: id,
  day: z.string(),
  records: z.number(),
  amount: pico,
  reserved: pico,
  refunded: pico,
});

const telling = z.object({
  first_started_ms: z.number().nullable(),
  last_sign_ms: z.number().nullable(),
  net: z.number(),
  gross: z.number(),
  inside: z.number(),
  beside: z.number(),
});

/** The sums over all accepted calls, their witnesses left out. `callIdAt` tells those by the place of their row. */
export async function acceptedSums(
  store: Store,
  assumed: AssumedReadings,
  sweep: number,
  callIdAt: (place: number) => string,
): Promise<AcceptedSums> {
  const [told] = await store.rows(ACCEPTED_TELLING_SQL, telling);
  const groups = await store.rows(GROUPS_SQL, group);
  const witnesses = await store.rows(
    'SELECT place::DOUBLE AS place FROM witnesses',
    z.object({ place: z.number() }),
  );
  return {
    assumed,
    first_started_ms: told?.first_started_ms ?? null,
    last_sign_ms: told?.last_sign_ms ?? null,
    groups: groups
      .map(({ place, ...sums }) => ({ witness: callIdAt(place), ...sums }))
      .sort((left, right) => compareText(left.witness, right.witness)),
    witnesses: witnesses.map(({ place }) => callIdAt(place)).sort(compareText),
    records: await store.rows(recordSumsSql(sweep, assumed.amount_meaning === 'net'), records),
    telling: {
      net: told?.net ?? 0,
      gross: told?.gross ?? 0,
      inside: told?.inside ?? 0,
      beside: told?.beside ?? 0,
    },
  };
}
