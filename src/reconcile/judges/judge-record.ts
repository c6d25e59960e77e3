import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import type { Finding } from '../../core/finding.ts';
import type { Expectation } from '../books/expected-charge.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { AmountField, ServedRecord } from '../records/served-record.ts';
import { evidenceOf } from './evidence-of.ts';
import { heldReserve } from './held-reserve.ts';
import type { JudgeContext } from './judge-context.ts';
import { makeFinding, usd } from './make-finding.ts';
import { unknownRecord } from './unknown-record.ts';

/**
 * What one record shows by itself: precision, signs, refund arithmetic, age. `expectation`: what is due for its call,
 * for what a held reserve exceeds it by; null where it is not known whose record it is.
 */
export function judgeRecord(
  context: JudgeContext,
  record: ServedRecord,
  call: PaidCall | null,
  expectation: Expectation | null,
): readonly Finding[] {
  const about = {
    evidence: evidenceOf(record, call),
    request_id: record.request_id === '' ? null : record.request_id,
    call_id: call?.call_id ?? null,
    model: record.model,
  };
  return [
    ...malformed(record, about),
    ...precision(record, about),
    ...negative(context, record, about),
    ...refunds(context, record, about),
    ...heldReserve(context, record, call, expectation),
    ...unknownRecord(context, record, call),
  ];
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
  number: { rule: 'number', what: 'a JSON number, of which others lose digits; it is judged by its value' },
  exponent: { rule: 'exponent', what: 'written with an exponent; it is judged by its value' },
  unreadable: { rule: 'malformed', what: 'not a decimal string, so its value is unknown' },
};

function negative(context: JudgeContext, record: ServedRecord, about: About): readonly Finding[] {
  const amounts = [...amountsOf(record), ...netAmount(context, record)].flatMap(([field, { exact }]) =>
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
  return [...amounts, ...counts].map(([field, value]) =>
    makeFinding({
      ...about,
      class: 'negative_component',
      rule: field,
      confidence: 'proved',
      delta: null,
      explanation: `${field} of record ${record.id} is ${value}; nothing that is charged can be negative.`,
      next_step: 'Ask the operator which subtraction made it negative.',
    }),
  );
}

/** What an amount that still holds its refund comes to without it. */
function netAmount(
  { settings }: JudgeContext,
  { amount, refunded, role }: ServedRecord,
): readonly (readonly [string, { readonly exact: PicoUsd | null }])[] {
  if (settings.amount_meaning !== 'gross' || role !== 'settled') return [];
  if (amount.exact === null || refunded.exact === null || amount.exact < 0n || refunded.exact < 0n) return [];
  return [['amount less refunded_amount', { exact: amount.exact - refunded.exact }]];
}

function refunds(context: JudgeContext, record: ServedRecord, about: About): readonly Finding[] {
  const amount = record.amount.exact;
  const reserved = record.reserved.exact;
  const refunded = record.refunded.exact;
  if (amount === null || reserved === null || refunded === null) return [];
  // A negative amount is told as one; its arithmetic would claim the opposite.
  if (amount < 0n || reserved < 0n || refunded < 0n) return [];
  const status = record.role;
  if (status !== 'settled' && status !== 'refunded') return [];
  if (status === 'settled' && context.settings.amount_meaning === 'gross') return [];
  const rest = reserved > amount ? reserved - amount : 0n;
  // A trusted account reserves nothing, so that its refund cannot be compared with it.
  const whole = reserved > 0n ? reserved : refunded;
  const due = status === 'refunded' ? whole : rest;
  // An amount that is meant before refunds still holds what was given back.
  const before = context.settings.amount_meaning === 'gross' && amount >= refunded ? refunded : 0n;
  const kept = status === 'refunded' ? amount - before : 0n;
  if (refunded === due && kept === 0n) return [];
  const delta = due === refunded ? kept : due - refunded;
  const twice = refunded > due && (refunded > reserved || refunded === due * 2n);
  return [
    makeFinding({
      ...about,
      class: twice ? 'double_refund' : 'partial_refund_wrong',
      rule: `${status}_arithmetic`,
      confidence: 'proved',
      delta,
      // Beside a charge that is right by itself, what did not come back is in no sum of charges.
      bridge: status === 'refunded' ? 'settled' : 'none',
      explanation:
        `Record ${record.id} is ${status}: reserved ${usd(reserved)}, amount ${usd(amount)}, refunded ${usd(refunded)}; ` +
        `${usd(due)} should have come back${status === 'refunded' ? ' and the amount be $0' : ''}.`,
      next_step: 'Claim the difference with the request id, or ask the operator for the refund entry.',
    }),
  ];
}
