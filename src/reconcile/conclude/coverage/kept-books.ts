import { type CoverageSetting, shownSetting } from '../../../contracts/coverage-result.ts';
import { formatAmount, type PicoUsd } from '../../../core/amount.ts';
import { chargeOf, otherMeaning } from '../../expect/charge.ts';
import type { MatchedRecords } from '../../match/match-records.ts';
import { acceptedCalls } from '../../records/accepted-sums.ts';
import { statusSettings } from '../../records/status-roles.ts';
import { createdAt, cutStreams, failedTasks, requestIds } from './kept-calls.ts';
import type { KeptInput } from './kept-input.ts';
import { keptEdition, keptFactors, keptReasoning, keptRounding } from './kept-prices.ts';
import { totalsSettings } from './kept-totals.ts';

/** How the gateway keeps its books: each point that the interface leaves open, as the auditor really read it. */
export function keptBooks(input: KeptInput): readonly CoverageSetting[] {
  const { context, matched, totals } = input;
  const { shown } = context.settings;
  const settingNamed = (name: string): readonly CoverageSetting[] =>
    shown.filter((setting) => setting.name === name);
  return [
    ...settingNamed('amount_meaning').map((setting) => withOtherAmounts(input, setting)),
    unusedReserve(matched),
    failedTasks(matched),
    createdAt(matched),
    ...settingNamed('rounding').map((setting) => keptRounding(context, setting)),
    ...keptEdition(input),
    ...keptFactors(input),
    ...settingNamed('group'),
    ...settingNamed('input_includes_cache').map((setting) => withoutCache(matched, setting)),
    ...keptReasoning(input),
    ...settingNamed('cache_without_price'),
    ...totalsSettings(totals, context.terms),
    ...requestIds(input),
    cutStreams(input),
    ...statusSettings(matched.sweep.records, context.terms, acceptedCalls(matched.accepted)),
  ];
}

/** What is charged by the other meaning of an amount, where records leave both. */
function withOtherAmounts({ context, matched }: KeptInput, setting: CoverageSetting): CoverageSetting {
  const { net, gross, returned } = matched.accepted.telling;
  let changes: PicoUsd = 0n;
  for (const record of matched.sweep.records) {
    const [charge, other] = [chargeOf(record, context.settings), otherMeaning(record, context.settings)];
    if (charge === null || other === null) continue;
    changes += charge.lo > other.lo ? charge.lo - other.lo : other.lo - charge.lo;
  }
  // Of accepted records only their number is known: those with a refund that does not tell.
  const hidden = returned > net + gross;
  const isOne = setting.basis === 'records' && changes === 0n && !hidden;
  return { ...setting, ...(isOne ? { also: [] } : {}), changes: hidden ? null : formatAmount(changes) };
}

/** A settled record is judged by its amount, however what was not used of its reserve ends. */
function unusedReserve({ sweep, accepted }: MatchedRecords): CoverageSetting {
  let { returned, released } = accepted.telling;
  let example: string | null = null;
  for (const { id, role, amount, reserved, refunded } of sweep.records) {
    if (role !== 'settled' || refunded.exact === null) continue;
    if (refunded.exact > 0n) returned += 1;
    else if ((reserved.exact ?? 0n) > (amount.exact ?? 0n)) released += 1;
    else continue;
    example ??= `record:${id}`;
  }
  const ways = [...(returned > 0 ? ['refunded'] : []), ...(released > 0 ? ['released'] : [])];
  return shownSetting({
    name: 'unused_reserve',
    value: ways.length === 0 ? 'not met' : ways.join(' or '),
    basis: ways.length === 0 ? 'assumed' : 'records',
    evidence: `${returned} settled records give a part back, ${released} let go of it without a refund; each is judged by its amount`,
    example,
    changes: '0',
  });
}

/** Where no record counts cached tokens, it changes nothing where they stand. */
function withoutCache({ sweep, accepted }: MatchedRecords, setting: CoverageSetting): CoverageSetting {
  const { inside, beside } = accepted.telling;
  const some = sweep.records.some((record) => (record.cache_read ?? 0n) + (record.cache_write ?? 0n) > 0n);
  return some || inside + beside > 0 ? setting : { ...setting, changes: '0' };
}
