import { z } from 'zod';
import type { Store } from '../../ledger/store/open-store.ts';
import type { AssumedReadings } from '../records/accepted-sums.ts';
import { TELLING_AMOUNT_SQL, TELLING_CACHE_SQL } from './acceptance-sql.ts';

const meaning = z.object({ net: z.number(), gross: z.number() });
const places = z.object({ inside: z.number(), beside: z.number() });

const KEPT_SQL = `SELECT count(*) FILTER (told)::INTEGER AS net, count(*) FILTER (NOT told)::INTEGER AS gross,
  count(*) FILTER (NOT beside)::INTEGER AS inside, count(*) FILTER (beside)::INTEGER AS beside FROM kept.accepted`;

/** Under which readings is accepted: those that were given, else those that the most records of all tell. */
export async function assumedReadings(
  store: Store,
  given: { readonly [Name in keyof AssumedReadings]: AssumedReadings[Name] | null },
): Promise<AssumedReadings> {
  let { amount_meaning, input_includes_cache } = given;
  if (amount_meaning !== null && input_includes_cache !== null)
    return { amount_meaning, input_includes_cache };
  const [kept] = await store.rows(KEPT_SQL, meaning.extend(places.shape));
  if (amount_meaning === null) {
    const [told] = await store.rows(TELLING_AMOUNT_SQL, meaning);
    const [net, gross] = [(told?.net ?? 0) + (kept?.net ?? 0), (told?.gross ?? 0) + (kept?.gross ?? 0)];
    amount_meaning = gross > net ? 'gross' : 'net';
  }
  if (input_includes_cache === null) {
    const [told] = await store.rows(TELLING_CACHE_SQL, places);
    const inside = (told?.inside ?? 0) + (kept?.inside ?? 0);
    const beside = (told?.beside ?? 0) + (kept?.beside ?? 0);
    input_includes_cache = beside > inside ? 'no' : 'yes';
  }
  return { amount_meaning, input_includes_cache };
}
