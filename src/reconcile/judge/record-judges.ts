import type { Finding } from '../../contracts/finding.ts';
import { formatAmount } from '../../core/amount.ts';
import { holdsRefund, isBelowRefund } from '../expect/charge.ts';
import type { Expectation } from '../expect/expected-charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { isRecordCall } from '../match/record-calls.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { AmountField, ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { evidenceOf } from './evidence-of.ts';
import { heldReserve, unknownRecord } from './held-reserve.ts';
import { askJudges, type Judge } from './judge.ts';
import { makeFinding } from './make-finding.ts';
import { WARRANTS } from './warrants.ts';

/** A record, the call that it stands for and what is due for it; both null where it is not known whose it is. */
interface JudgedRecord {
  readonly context: JudgeContext;
  readonly record: ServedRecord;
  readonly call: PaidCall | null;
  readonly expectation: Expectation | null;
  readonly about: About;
}

const RECORD_JUDGES: readonly Judge<JudgedRecord>[] = [
  {
    name: 'fields',
    question: 'Has the record every documented field, in its type?',
    classes: ['unknown_records'],
    warrants: ['sentence'],
    judge: ({ record, about }) => malformed(record, about),
  },
  {
    name: 'precision',
    question: 'Are its amounts exact decimal strings?',
    classes: ['precision_loss'],
    warrants: ['sentence'],
    judge: ({ record, about }) => precision(record, about),
  },
  {
    name: 'signs',
    question: 'Is no amount and no count below 0?',
    classes: ['negative_component'],
    warrants: ['document'],
    judge: ({ record, call, about }) => negative(record, call, about),
  },
  {
    name: 'refund above amount',
    question: 'Is its refund within the amount that holds it?',
    classes: ['negative_component'],
    warrants: ['document', 'habit'],
    judge: ({ context, record, about }) => belowRefund(context, record, about),
  },
  {
    name: 'refund of a failed call',
    question: 'Did the whole reserve of a failed call come back?',
    classes: ['partial_refund_wrong', 'double_refund'],
    warrants: ['sentence'],
    judge: ({ context, record, about }) => refunds(context, record, about),
  },
  {
    name: 'held reserve',
    question: 'Does it still hold its reserve, and since when?',
    classes: ['reservation_leak'],
    warrants: ['sentence', 'declaration', 'habit'],
    judge: ({ context, record, call, expectation }) => heldReserve(context, record, call, expectation),
  },
  {
    name: 'unknown state',
    question: 'Is its state one that says whether it charges?',
    classes: ['unknown_records'],
    warrants: ['document'],
    judge: ({ context, record, call }) => unknownRecord(context, record, call),
  },
];

/** Asks every question about one record by itself: fields, precision, signs, refund arithmetic, age. */
export function judgeRecord(
  context: JudgeContext,
  record: ServedRecord,
  call: PaidCall | null,
  expectation: Expectation | null,
): readonly Finding[] {
  const about: About = {
    evidence: evidenceOf(record, call),
    request_id: record.request_id === '' ? null : record.request_id,
    call_id: call?.call_id ?? null,
    model: record.model,
  };
  return askJudges(RECORD_JUDGES, { context, record, call, expectation, about });
}

interface About {
  readonly evidence: readonly string[];
  readonly request_id: string | null;
  readonly call_id: string | null;
  readonly model: string;
}

function amountsOf(record: ServedRecord): readonly (readonly [string, AmountField])[] {
  return [
    ['amount', record.amount],
    ['reserved_amount', record.reserved],
    ['refunded_amount', record.refunded],
  ];
}

function malformed(record: ServedRecord, about: About): readonly Finding[] {
  if (record.malformed.length === 0) return [];
  return [
    makeFinding({
      ...about,
      class: 'unknown_records',
      rule: 'malformed_record',
      warrant: WARRANTS.record_fields,
      confidence: 'proved',
      delta: null,
      explanation: `The record ${record.id || '(without id)'} lacks ${record.malformed.join(', ')}, or holds another type there.`,
      next_step: 'Ask the operator why the record breaks the documented fields.',
    }),
  ];
}

function precision(record: ServedRecord, about: About): readonly Finding[] {
  return amountsOf(record).flatMap(([field, { text, form, exact }]) => {
    // Another currency is told of its page, and says nothing of how the amounts are written.
    if (form === 'foreign' || (form === 'decimal' && exact !== null)) return [];
    return [
      makeFinding({
        ...about,
        class: 'precision_loss',
        rule: `${field}:${PRECISION[form].rule}`,
        warrant: WARRANTS.record_fields,
        confidence: 'proved',
        delta: null,
        explanation: `${field} of record ${record.id} is ${form === 'number' ? text : JSON.stringify(text)}: ${PRECISION[form].what}.`,
        next_step: 'Ask the operator to serve amounts as exact decimal strings.',
      }),
    ];
  });
}

const PRECISION: {
  readonly [F in Exclude<AmountField['form'], 'foreign'>]: { readonly rule: string; readonly what: string };
} = {
  decimal: {
    rule: 'too_many_decimals',
    what: 'more than 12 decimals, as float arithmetic leaves them; it is judged as the interval around it',
  },
  double: {
    rule: 'too_many_decimals',
    what: 'more than 12 decimals, as a double prints them; it is judged by the amount that it stands for',
  },
  number: { rule: 'number', what: 'a JSON number, of which others lose digits; it is judged by its value' },
  exponent: { rule: 'exponent', what: 'written with an exponent; it is judged by its value' },
  unreadable: { rule: 'malformed', what: 'not a decimal string, so its value is unknown' },
};

/** A record by itself may be a credit note: only that of a call which we saw succeed charges less than nothing. */
function negative(record: ServedRecord, call: PaidCall | null, about: About): readonly Finding[] {
  const isSeen = call !== null && !isRecordCall(call.call_id) && call.outcome === 'ok';
  const amounts = amountsOf(record).flatMap(([field, { exact }]) =>
    exact !== null && exact < 0n ? [[field, formatAmount(exact)] as const] : [],
  );
  const counts = (
    [
      ['input_tokens', record.input],
      ['output_tokens', record.output],
      ['cache_read_tokens', record.cache_read],
      ['cache_write_tokens', record.cache_write],
    ] as const
  ).flatMap(([field, value]) => (value !== null && value < 0n ? [[field, value.toString()] as const] : []));
  const told = [
    ...amounts.map((each) => [...each, isSeen] as const),
    ...counts.map((each) => [...each, true] as const),
  ];
  return told.map(([field, value, isWrong]) =>
    makeFinding({
      ...about,
      class: 'negative_component',
      rule: field,
      ...(isWrong ? {} : { severity: 'S4' as const }),
      warrant: WARRANTS.record,
      confidence: 'proved',
      delta: null,
      explanation: isWrong
        ? `${field} of record ${record.id} is ${value}; nothing that is charged can be negative.`
        : `${field} of record ${record.id} is ${value}: it may be the credit of another record.`,
      next_step: 'Ask the operator which subtraction made it negative.',
    }),
  );
}

/** An exception to how the target writes its amounts proves no money wrong. */
function belowRefund({ settings }: JudgeContext, record: ServedRecord, about: About): readonly Finding[] {
  if (!isBelowRefund(record, settings)) return [];
  return [
    makeFinding({
      ...about,
      class: 'negative_component',
      rule: 'amount less refunded_amount',
      warrant: WARRANTS.records,
      confidence: 'bounded',
      severity: 'S3',
      delta: null,
      explanation:
        `Amounts of this target hold their refunds, but record ${record.id} has amount ${record.amount.text} and ` +
        `refunded_amount ${record.refunded.text}: less than nothing was charged, or its amount means something else.`,
      next_step: 'Ask the operator what the amount of this record means.',
    }),
  ];
}

/**
 * A failed call's reserve comes back whole (interface §3, rule 3). A settled record has no such rule: its amount is
 * judged against what is due, whatever it says of its reserve.
 */
function refunds(context: JudgeContext, record: ServedRecord, about: About): readonly Finding[] {
  if (record.role !== 'refunded') return [];
  const amount = record.amount.exact;
  const reserved = record.reserved.exact;
  const refunded = record.refunded.exact;
  if (amount === null || reserved === null || refunded === null) return [];
  // A negative amount is told as one; its arithmetic would claim the opposite.
  if (amount < 0n || reserved < 0n || refunded < 0n) return [];
  // A reserve may be released without a word of it.
  if (amount === 0n && refunded === 0n) return [];
  // A trusted account reserves nothing, so that its refund cannot be compared with it.
  const due = reserved > 0n ? reserved : refunded;
  const kept = holdsRefund(record, context.settings) ? amount - refunded : amount;
  if (refunded === due && kept === 0n) return [];
  const delta = due === refunded ? kept : due - refunded;
  const twice = refunded > due;
  return [
    makeFinding({
      ...about,
      class: twice ? 'double_refund' : 'partial_refund_wrong',
      rule: 'refunded_arithmetic',
      warrant: WARRANTS.credits_failed,
      confidence: 'proved',
      delta,
      bridge: 'settled',
      explanation:
        `Record ${record.id} is refunded: reserved ${signedUsdText(reserved)}, amount ${signedUsdText(amount)}, refunded ${signedUsdText(refunded)}; ` +
        `${signedUsdText(due)} should have come back and the amount be $0.`,
      next_step: 'Ask the operator for the rest of the refund, with the request id.',
    }),
  ];
}
