import { exactOf, isCountedOnce, sumOfGroup } from '../expect/charge.ts';
import { expectedCharge } from '../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';

type Entries = readonly ServedRecord[];

/**
 * Splits the records of a call that is charged several times by the same entries, a reserve and its settlement say, into
 * the entries of each charge. One group where it is not, or where all of them together come to what is due.
 */
export function chargeCopies(
  context: JudgeContext,
  call: PaidCall,
  group: Entries,
): readonly [Entries, ...Entries[]] {
  const alike = [...Map.groupBy(group, figuresOf).values()];
  const times = alike[0]?.length ?? 1;
  if (times < 2 || alike.length < 2 || alike.some(({ length }) => length !== times)) return [group];
  const [first = group, ...others] = Array.from({ length: times }, (_, copy) =>
    alike.flatMap((same) => same[copy] ?? []),
  );
  return isCountedOnce(first) && !isDueInAll(context, call, group) ? [first, ...others] : [group];
}

/** What two records of like entries have in common. */
function figuresOf(record: ServedRecord): string {
  const { role, amount, reserved, refunded, input, output, cache_read, cache_write } = record;
  const figures = [amount.exact, reserved.exact, refunded.exact, input, output, cache_read, cache_write];
  return [role, ...figures.map(String)].join();
}

function isDueInAll(context: JudgeContext, call: PaidCall, group: Entries): boolean {
  const charge = sumOfGroup(group, context.settings);
  const expected = expectedCharge(context, call, null, bookOf(context, group[0] ?? null));
  return charge !== null && !('unknown' in expected) && exactOf(charge) === expected.point;
}
