import type { Finding } from '../../contracts/finding.ts';
import {
  type AmountBounds,
  chargeOf,
  exactOf,
  hasCounts,
  isBelowRefund,
  isCharging,
  isOneCharge,
  isZero,
  otherMeaning,
  overlaps,
  sumCharges,
  sumOfGroup,
  withSum,
} from '../expect/charge.ts';
import { type Expectation, type Expected, expectedCharge } from '../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import { isEmptyAnswer } from '../expect/policy.ts';
import { restsOnInference } from '../expect/rests-on-inference.ts';
import type { CallMatch } from '../match/call-match.ts';
import { isRecordCall } from '../match/record-calls.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { judgeMatch } from './call-judges.ts';
import { chargeCopies } from './charge-copies.ts';
import { chooseRecord } from './choose-record.ts';
import { judgeCounts, judgeUntold } from './contradictions.ts';
import { waitOfRecord } from './deadline.ts';
import { aboutOf, emptyOutput, judgeCharge } from './judge-charge.ts';
import { boundsOf, judgedCall } from './judged-call.ts';
import { type Checked, type Judgement, judgedMoney, surplusMoney } from './judgement.ts';
import { judgeRecord } from './record-judges.ts';

/** Judges one call with the records of its request. */
export function judgeCall(
  context: JudgeContext,
  { call, records: group, pass, score, why }: CallMatch,
): Judgement {
  const [own, ...copies] = chargeCopies(context, call, group);
  const main = chooseRecord(context, call, own);
  const counted = withCounts(context, main, own);
  const expectation = expectedCharge(context, call, counted, bookOf(context, main));
  const bounds = boundsOf(expectation);
  const { parts, charge } = chargeOfGroup(context, main, own, bounds);
  const extras = [
    ...own.filter((record) => !parts.includes(record)),
    ...copies.flatMap((copy) => copy.filter(hasCounts).map((one) => withSum(one, copy, context.settings))),
  ];
  const extraCharges = extras.map((record) => chargeOf(record, context.settings));
  const regressed = isRegression(context, main, charge, bounds);
  const asDue = bounds === null ? null : charge !== null && overlaps(charge, bounds);
  const findings: Finding[] = [
    ...group.flatMap((record) =>
      judgeRecord(context, record, call, record === main ? expectation : null).filter(
        ({ class: found, rule }) =>
          !(regressed && found === 'reservation_leak') &&
          // What a later entry of the same call takes off is negative, and right.
          !(found === 'negative_component' && rule === 'amount' && isPaidInAll(context, group)),
      ),
    ),
    ...judgeMatch({ context, call, main, parts, extras, charge, charged_as_due: asDue }),
  ];
  const judged = judgeMain(context, call, counted, charge, expectation);
  if (!regressed) findings.push(...judged.findings);
  const final = findings.filter(({ provisional, severity }) => !provisional && severity !== 'S4');
  const provisional = judged.checked === 'provisional';
  const open = provisional || judged.open;
  const verdict = final.length > 0 || regressed ? 'finding' : judged.checked;
  return {
    calls: [
      judgedCall(call, group, pass, {
        record: main,
        score,
        match_why: why,
        expectation,
        charge: sumCharges([charge, ...extraCharges]),
        verdict,
        why: [
          extras.length === 0 ? judged.why : ofOne(main, judged.why),
          final.map((finding) => finding.class).join(', '),
        ]
          .filter((part) => part !== '')
          .join('; '),
      }),
    ],
    findings,
    subject: { call, record: main, charge, expectation },
    ...(regressed ? { regressed: [main.key] } : {}),
    money: [
      judgedMoney(charge, judged.checked, open ? null : (bounds ?? untoldBounds(expectation, charge))),
      ...extraCharges.map(surplusMoney),
    ],
  };
}

/** Nothing tells that what was given for nothing is owed. */
function untoldBounds(
  expectation: Expectation,
  charge: AmountBounds | null,
): Parameters<typeof judgedMoney>[2] {
  const untold = 'unknown' in expectation ? expectation.untold : undefined;
  if (untold === undefined || charge === null || charge.hi <= 0n) return null;
  return { lo: untold.lo, hi: untold.hi, point: null };
}

/** The record with the tokens of its request, where others of it count them alike, and with the sum of one charge. */
function withCounts(
  { settings }: JudgeContext,
  main: ServedRecord,
  group: readonly ServedRecord[],
): ServedRecord {
  const whole = withSum(main, group, settings);
  const [other, ...more] = group.filter((record) => record !== main && hasCounts(record));
  if (hasCounts(main) || other === undefined || more.some((each) => !isLikeCounted(each, other)))
    return whole;
  const { input, output, cache_read, cache_write, usage_estimated } = other;
  return { ...whole, input, output, cache_read, cache_write, usage_estimated };
}

function isLikeCounted(left: ServedRecord, right: ServedRecord): boolean {
  return (['input', 'output', 'cache_read', 'cache_write'] as const).every((of) => left[of] === right[of]);
}

/** True for several records of a call that come to a charge, or to none. */
function isPaidInAll(context: JudgeContext, group: readonly ServedRecord[]): boolean {
  const charge = sumOfGroup(group, context.settings);
  return group.length > 1 && charge !== null && charge.lo >= 0n;
}

/** What is said of one record must not read as said of the whole charge. */
function ofOne({ id }: ServedRecord, why: string): string {
  return why === '' ? '' : `record ${id}: ${why}`;
}

interface JudgedMain {
  readonly findings: readonly Finding[];
  readonly why: string;
  readonly checked: Checked;
  /** Not settled, waived, or of no known charge: what is due is not compared with the charge. */
  readonly open: boolean;
}

function judgeMain(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds | null,
  expectation: Expectation,
): JudgedMain {
  const state = stateOf(context, call, record, charge);
  if (state !== null) {
    return {
      findings: [],
      why: state.why,
      checked: state.provisional ? 'provisional' : 'not_checkable',
      open: true,
    };
  }
  if (record.role === 'waived' && charge !== null && isZero(charge)) {
    const why = `not charged: billing status ${JSON.stringify(record.billing_status)}`;
    return { findings: [], why, checked: 'within_bounds', open: true };
  }
  if (isBelowRefund(record, context.settings)) {
    const why = 'its refund is above the amount that holds it, so that its charge cannot be told';
    return { findings: [], why, checked: 'not_checkable', open: true };
  }
  const unchecked = { findings: [], checked: 'not_checkable', open: false } as const;
  if (charge === null) {
    return { ...unchecked, why: `the amount ${JSON.stringify(record.amount.text)} cannot be read` };
  }
  if ('unknown' in expectation) {
    const { unknown: why, untold } = expectation;
    const isSilent = context.terms.policy.empty_output === 'unsaid' && isEmptyAnswer(call);
    const findings =
      isSilent && charge.hi > 0n && !isRecordCall(call.call_id)
        ? [emptyOutput(charge, aboutOf(record, call))]
        : untold === undefined
          ? judgeCounts(context, call, record)
          : judgeUntold(call, record, charge, untold);
    return { ...unchecked, findings, why };
  }
  const { findings, why } = judgeCharge(context, call, record, charge, expectation);
  const known = expectation.point !== null || isCounted(expectation, charge);
  const exact = known && exactOf(charge) !== null && !restsOnInference(context, call, record);
  const awaited = findings.some(({ provisional }) => provisional);
  return {
    findings,
    why,
    checked: awaited ? 'provisional' : exact ? 'to_the_digit' : 'within_bounds',
    open: false,
  };
}

/** True for a charge that is, to the digit, what the gateway behind the target counted. */
function isCounted({ upstream, lo, hi }: Expected, charge: AmountBounds): boolean {
  return upstream === true && lo === hi && exactOf(charge) === lo;
}

interface GroupCharge {
  /** The records that make up the charge. */
  readonly parts: readonly ServedRecord[];
  readonly charge: AmountBounds | null;
}

/**
 * The charge of a call by each lawful reading of its records: of the first alone, with its refund inside or beside its
 * amount; of all together, where a later entry adds the difference; of all less their credit notes. The first that
 * comes to what is due counts; where none does, credit notes are taken off, and entries without tokens of their own
 * are added to the one that has them.
 */
function chargeOfGroup(
  { settings }: JudgeContext,
  main: ServedRecord,
  group: readonly ServedRecord[],
  bounds: ReturnType<typeof boundsOf>,
): GroupCharge {
  const due = bounds?.point ?? null;
  const isDue = ({ charge }: GroupCharge): boolean =>
    due !== null && charge !== null && exactOf(charge) === due;
  const alone = { parts: [main], charge: chargeOf(main, settings) };
  const other = otherMeaning(main, settings);
  const either = other === null ? [alone] : [alone, { parts: [main], charge: other }];
  if (group.length === 1) return either.find(isDue) ?? alone;
  // What a later entry takes off is off, were the first alone what is due.
  const single = group.some((record) => (record.amount.exact ?? 0n) < 0n) ? [] : either;
  const together = { parts: group, charge: sumOfGroup(group, settings) };
  const added = group.every(isCharging) ? [together] : [];
  return [...single, ...added].find(isDue) ?? (isOneCharge(group) ? together : alone);
}

/** True where the record was right when it was final, and is wrong by its later change alone. */
function isRegression(
  context: JudgeContext,
  record: ServedRecord,
  charge: AmountBounds | null,
  bounds: AmountBounds | null,
): boolean {
  const before = context.regressed.get(record.key);
  const then = before === undefined ? null : chargeOf(before, context.settings);
  if (then === null || bounds === null || !overlaps(then, bounds)) return false;
  return record.role === 'pending' || charge === null || !overlaps(charge, bounds);
}

/** A record that is not final cannot be compared with a price. */
function stateOf(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds | null,
): { readonly why: string; readonly provisional: boolean } | null {
  if (record.role === 'pending') {
    const { provisional } = waitOfRecord(context, 'reservation_leak', call, record);
    return { why: provisional ? 'pending' : 'pending past its deadline', provisional };
  }
  if (record.role !== 'unknown') return null;
  // Whatever its name: an amount that was taken is judged as a charge.
  if (charge === null || !isZero(charge)) return null;
  const { provisional } = waitOfRecord(context, 'unknown_records', call, record);
  return { why: `billing status ${JSON.stringify(record.billing_status)}`, provisional };
}
