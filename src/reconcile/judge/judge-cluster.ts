import type { Finding } from '../../contracts/finding.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { withinUnit } from '../books/book-trust.ts';
import {
  type AmountBounds,
  chargeOf,
  chargeText,
  exactOf,
  exactText,
  isOneCharge,
  sumCharges,
  sumOfGroup,
} from '../expect/charge.ts';
import { type Expected, expectedCharge } from '../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import type { CallMatch } from '../match/call-match.ts';
import { OTHERS } from '../match/whose-record.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { recordDue } from '../records/record-due.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import type { OpenCluster } from './assign/open-clusters.ts';
import { chooseRecord } from './choose-record.ts';
import { outsideSum, ownTokenFindings, tooFew, tooMany } from './cluster-findings.ts';
import { duplicateFindings } from './duplicate-findings.ts';
import { judgeCall } from './judge-call.ts';
import { isLossFinal, isLossProved, judgeMissing, type Losses } from './judge-missing.ts';
import { judgeReserve } from './judge-reserve.ts';
import { judgeUnmatched } from './judge-unmatched.ts';
import { judgedCall, lowest } from './judged-call.ts';
import { type Checked, type Judgement, judgedMoney, surplusMoney } from './judgement.ts';
import { judgeRecord } from './record-judges.ts';
import { withMatch } from './with-match.ts';

/**
 * Judges calls whose ids were never seen: one call with one record singly, several by their sums alone. `losses` as
 * for `judgeMissing`.
 */
export function judgeCluster(
  context: JudgeContext,
  cluster: OpenCluster,
  losses: Losses,
): readonly Judgement[] {
  const { calls, groups } = cluster;
  const [call] = calls;
  const [group] = groups;
  if (groups.length === 0) return calls.map((missing) => judgeMissing(context, missing, losses));
  const explained = groups.length <= calls.length;
  if (calls.length === 1 && groups.length === 1 && call !== undefined && group !== undefined) {
    const why = 'the only record that fits it, and it the only call that fits the record';
    const match: CallMatch = { call, records: group, pass: 'open_intent', score: 1, why };
    const judged = withMatch(judgeCall(context, match), match);
    return isContested(context, cluster) && hasFinalFinding(judged)
      ? asForeign(context, cluster, losses)
      : [judged];
  }
  const judged = judgeSum(context, cluster, losses);
  if (isContested(context, cluster) && (!explained || hasFinalFinding(judged)))
    return asForeign(context, cluster, losses);
  return [judged];
}

function hasFinalFinding(judged: Judgement): boolean {
  return judged.findings.some(({ provisional }) => !provisional);
}

/** Where others use the key, or another command of ours did, a record that does not fit is as likely theirs. */
function isContested({ key, whose }: JudgeContext, { groups }: OpenCluster): boolean {
  return key === 'shared' || groups.flat().some((record) => whose(record)?.match === 'known');
}

function asForeign(context: JudgeContext, cluster: OpenCluster, losses: Losses): readonly Judgement[] {
  return [
    ...cluster.calls.map((call) => judgeMissing(context, call, losses)),
    ...cluster.groups
      .flat()
      .map((record) => judgeUnmatched(context, [record], context.whose(record) ?? OTHERS)),
  ];
}

interface Priced {
  readonly call: PaidCall;
  readonly expected: Expected | null;
}

function judgeSum(context: JudgeContext, cluster: OpenCluster, losses: Losses): Judgement {
  const { calls, groups } = cluster;
  const records = groups.flat();
  const priced = pricedCalls(context, calls, records[0] ?? null);
  const ofRecord = (record: ServedRecord): AmountBounds | null => chargeOf(record, context.settings);
  const split = groups.map((group) => {
    if (isOneCharge(group))
      return { main: group[0], extras: [], charge: sumOfGroup(group, context.settings) };
    const { main, extras } = splitGroup(context, calls, group);
    return { main, extras, charge: ofRecord(main) };
  });
  const charge = sumCharges(split.map((each) => each.charge));
  const pending = records.some(({ role }) => role === 'pending');
  const known = priced.every(({ expected }) => expected !== null);
  // Where requests are fewer than calls, the record that a call must have may be one that was not read.
  const recorded = (call: PaidCall): boolean =>
    recordDue(call) === 'must' && (groups.length >= calls.length || isLossProved(context, call, losses));
  const bounds = sumBounds(priced, groups.length, recorded);
  const comparable = known && !pending && groups.length <= calls.length;
  const findings: Finding[] = [
    ...records.flatMap((record) => judgeRecord(context, record, null, null)),
    ...split.flatMap(({ main, extras }) => duplicateFindings(context, null, main, extras)),
    ...ownTokenFindings(context, cluster),
    ...calls.flatMap((call) => judgeReserve(context, call, null, null)),
    ...(groups.length > calls.length ? [tooMany(context, cluster)] : []),
    ...(comparable && charge !== null ? outsideSum(cluster, charge, bounds) : []),
    ...(!known && isShort(context, cluster, losses) ? [tooFew(cluster)] : []),
  ];
  const point = bounds.lo === bounds.hi && groups.length === calls.length ? bounds.lo : null;
  const final = findings.some(({ provisional, severity }) => !provisional && severity !== 'S4');
  const exact = charge === null ? null : exactOf(charge);
  const checked = checkedAs(pending, known && charge !== null, exact === null ? null : point);
  const total = pending ? null : sumCharges(records.map(ofRecord));
  const why =
    `${calls.length} calls without an id and ${groups.length} requests of ${calls[0]?.model ?? ''} fit one another; ` +
    `their sum is judged: charged ${chargeText(charge)}, due between ${signedUsdText(bounds.lo)} and ${signedUsdText(bounds.hi)}`;
  return {
    calls: priced.map(({ call, expected }) =>
      judgedCall(call, records, 'cluster', {
        expectation: expected ?? { unknown: 'not priced', unpriced_model: false },
        charge: null,
        verdict: final ? 'finding' : checked,
        why,
      }),
    ),
    findings,
    sum: { call_ids: calls.map(({ call_id }) => call_id), charged: exactText(total), records },
    money: [
      judgedMoney(charge, checked, known && !pending ? { ...bounds, point } : null),
      ...split.flatMap(({ extras }) => extras.map((record) => surplusMoney(ofRecord(record)))),
    ],
  };
}

/** Where prices are known the sum tells it. */
function isShort(context: JudgeContext, cluster: OpenCluster, losses: Losses): boolean {
  const { calls, groups } = cluster;
  if (groups.length >= calls.length || isContested(context, cluster)) return false;
  return calls.every((call) => isLossFinal(context, call, losses));
}

function checkedAs(pending: boolean, known: boolean, point: PicoUsd | null): Checked {
  if (pending) return 'provisional';
  if (!known) return 'not_checkable';
  return point === null ? 'within_bounds' : 'to_the_digit';
}

function pricedCalls(
  context: JudgeContext,
  calls: readonly PaidCall[],
  record: ServedRecord | null,
): readonly Priced[] {
  const book = bookOf(context, record);
  // Whose record it is stays open: what one counts tells nothing of the call of another.
  const own = calls.length === 1 ? record : null;
  return calls.map((call) => {
    const expected = expectedCharge(context, call, own, book);
    return { call, expected: 'unknown' in expected ? null : withinUntold(context, call, book, expected) };
  });
}

/** A rounding that no document tells may move each charge of a sum by its unit. */
function withinUntold(
  { shelf }: JudgeContext,
  { model, kind }: PaidCall,
  book: PriceBook | null,
  expected: Expected,
): Expected {
  const trust = book === null ? null : shelf.trustOf(book, model, kind);
  return trust?.kind === 'undeclared' ? { ...expected, ...withinUnit(trust.unit, expected) } : expected;
}

function splitGroup(
  context: JudgeContext,
  [call]: readonly PaidCall[],
  group: readonly [ServedRecord, ...ServedRecord[]],
): { readonly main: ServedRecord; readonly extras: readonly ServedRecord[] } {
  const main = call === undefined ? group[0] : chooseRecord(context, call, group);
  return { main, extras: group.filter((record) => record !== main) };
}

/**
 * Least and most that so many requests of these calls can cost; a call without a record costs nothing. `recorded`: the
 * calls of which a record must be among them.
 */
function sumBounds(
  priced: readonly Priced[],
  requests: number,
  recorded: (call: PaidCall) => boolean,
): { readonly lo: PicoUsd; readonly hi: PicoUsd } {
  const highs = priced
    .map(({ expected }) => expected?.hi ?? 0n)
    .sort((left, right) => (left > right ? -1 : left < right ? 1 : 0));
  const certain = priced.filter(({ call }) => recorded(call));
  const lows = certain.flatMap(({ expected }) => (expected === null ? [] : [lowest(expected)]));
  const sum = (amounts: readonly PicoUsd[]): PicoUsd => amounts.reduce((total, amount) => total + amount, 0n);
  const least = [...lows]
    .sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))
    .slice(0, requests);
  return { lo: sum(least), hi: sum(highs.slice(0, requests)) };
}
