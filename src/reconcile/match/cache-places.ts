import type { BillingReadings } from '../../contracts/billing-readings.ts';
import { NO_FACTS } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { WIDEST_ROUNDING } from '../../pricebook/infer/infer-rounding.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import { isHabit } from '../records/habit.ts';
import type { ServedRecord } from '../records/served-record.ts';

/** How many records tell by their own counts and prices where their cached tokens stand. */
export interface CachePlaces {
  readonly inside: number;
  readonly beside: number;
}

export function cachePlaces(records: readonly ServedRecord[], shelf: BookShelf): CachePlaces {
  const told = records.map((record) => placeOf(record, shelf));
  return {
    inside: told.filter((place) => place === 'inside').length,
    beside: told.filter((place) => place === 'beside').length,
  };
}

/** Records tell both places, and neither is a habit: each record may follow either. */
export function isMixed({ inside, beside }: CachePlaces): boolean {
  if (inside === 0 || beside === 0) return false;
  return !isHabit({ telling: inside + beside, exceptions: Math.min(inside, beside) });
}

/** Most records that tell have it otherwise than it is declared. */
export function contradicts(
  { inside, beside }: CachePlaces,
  declared: BillingReadings['input_tokens'],
): boolean {
  return declared === 'with_cache' ? beside > inside : declared === 'without_cache' && inside > beside;
}

/** More cached tokens than input stand beside it; else the one place whose price is the amount tells. */
function placeOf(record: ServedRecord, shelf: BookShelf): 'inside' | 'beside' | null {
  const { input, cache_read, cache_write, role } = record;
  const cached = (cache_read ?? 0n) + (cache_write ?? 0n);
  if (input === null || cached <= 0n || role !== 'settled') return null;
  if (cached > input) return 'beside';
  const [inside, beside] = [input, input + cached].map((whole) => isPrice(record, shelf, whole));
  return inside === beside ? null : beside ? 'beside' : 'inside';
}

/** True where the amount is the price of the record's tokens with so much input in all, as far as rounding is told. */
function isPrice(record: ServedRecord, shelf: BookShelf, input: bigint): boolean {
  const { asked_model: model, amount, output, cache_read, cache_write, created_at: at_s } = record;
  const book = shelf.find(record.pricebook_id, record.pricing_version, at_s) ?? shelf.latest;
  if (book === null || output === null || cache_read === null || cache_write === null) return false;
  const facts = { ...NO_FACTS, input, output, cache_read, cache_write, images: 0n, tools: {} };
  const charge = evaluateCharge(book, facts, {
    ...{ model, endpoint: 'chat', at_s },
    ...{ when: {}, group: null, key_fp: null },
  });
  if ('unpriced' in charge || charge.rounded === null || amount.exact === null) return false;
  const away = charge.rounded > amount.exact ? charge.rounded - amount.exact : amount.exact - charge.rounded;
  return away <= (shelf.readingOf(book)?.rounding_declared === false ? WIDEST_ROUNDING : 0n);
}
