import type { Adjustment, ModelPrice } from '../../contracts/price-book.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { dayBounds, instantSeconds } from './in-force.ts';

/** Which price of a book holds for a call. Null is not known: every value that the book tells apart is tried. */
export interface ChargeContext {
  readonly model: string;
  readonly endpoint: PaidKind;
  /** Unix seconds of the moment whose prices hold. */
  readonly at_s: number | null;
  /** service_tier, region, mode; what is not named here is not set. */
  readonly when: Readonly<Record<string, string>>;
  readonly group: string | null;
  readonly key_fp: string | null;
}

/** A call of which only the model and endpoint are known to matter. */
export function contextOf(model: string, endpoint: PaidKind): ChargeContext {
  return { model, endpoint, at_s: null, when: {}, group: null, key_fp: null };
}

/** More combinations of unknown time, group and key than this are not tried. */
const MOST_WORLDS = 256;

/** All contexts that an incomplete one may stand for, as far as these prices differ in them; null: too many. */
export function worldsOf(
  context: ChargeContext,
  entries: readonly ModelPrice[],
  adjustments: readonly Adjustment[],
): readonly ChargeContext[] | null {
  const groups = known(context.group, [
    ...adjustments.map(({ group }) => group),
    ...entries.map(({ when }) => when['group'] ?? null),
  ]);
  const keys = known(
    context.key_fp,
    adjustments.map(({ key_fp }) => key_fp),
  );
  const moments = context.at_s === null ? momentsOf(entries, adjustments) : [context.at_s];
  if (groups.length * keys.length * moments.length > MOST_WORLDS) return null;
  return groups.flatMap((group) =>
    keys.flatMap((key_fp) => moments.map((at_s) => ({ ...context, group, key_fp, at_s }))),
  );
}

function known(
  value: string | null,
  named: readonly (string | null)[],
): readonly [string | null, ...(string | null)[]] {
  if (value !== null) return [value];
  return [null, ...new Set(named.filter((name) => name !== null))];
}

/** One moment of each stretch of time in which the prices are the same; null alone where time does not matter. */
function momentsOf(
  entries: readonly ModelPrice[],
  adjustments: readonly Adjustment[],
): readonly (number | null)[] {
  const limits = [...entries, ...adjustments].flatMap(({ valid_from, valid_to }) => [valid_from, valid_to]);
  const dates = [...new Set(limits.flatMap((text) => (text === null ? [] : [instantSeconds(text)])))];
  const times = [...new Set(entries.flatMap(({ time_of_day }) => dayBounds(time_of_day)))];
  if (dates.length + times.length === 0) return [null];
  const sorted = dates.sort((left, right) => left - right);
  const starts = [(sorted[0] ?? 0) - 2 * DAY_S, ...sorted];
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const later = times.map((time) => start + ((((time - start) % DAY_S) + DAY_S) % DAY_S));
    return [...new Set([start, ...later.filter((moment) => moment < end)])];
  });
}

const DAY_S = 86_400;
