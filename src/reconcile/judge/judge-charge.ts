import type { Finding } from '../../contracts/finding.ts';
import { UNKNOWN_SEMANTICS } from '../../contracts/price-book.ts';
import type { Warrant } from '../../contracts/warrant.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { recordTokens } from '../expect/call-facts.ts';
import { type AmountBounds, chargeText, deltaOf, exactly, isZero, overlaps } from '../expect/charge.ts';
import { chargeOfRecordTokens, type Expected } from '../expect/expected-charge.ts';
import { isMadeOfHidden } from '../expect/hidden-tokens.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import { isEmptyAnswer } from '../expect/policy.ts';
import { isRecordCall } from '../match/record-calls.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { recordDue } from '../records/record-due.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { amountStep } from './amount-step.ts';
import { evidenceOf } from './evidence-of.ts';
import { estimatedUsage, freeCharge, isAboveReserve } from './free-charge.ts';
import { type FindingParts, makeFinding } from './make-finding.ts';
import { isLawfulCount, tellsInput, tokenDifferences, tokenFault } from './token-differences.ts';
import { declaration, WARRANTS } from './warrants.ts';
import { WORDING } from './wording.ts';

/** Compares a final charge with what the call should cost. */
export function judgeCharge(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds,
  expected: Expected,
): { readonly findings: readonly Finding[]; readonly why: string } {
  const about = aboutOf(record, call);
  const due = recordDue(call);
  if (due === 'free' || due === 'never' || expected.free !== undefined) {
    return freeCharge(context, call, record, charge, about, expected.free ?? null);
  }
  if (expected.grade === 'inferred') {
    return {
      findings: [],
      why: `charged ${chargeText(charge)}, consistent with prices that the charges share`,
    };
  }
  if (expected.point !== null) return point(context, call, record, charge, expected, expected.point, about);
  return interval(context, call, record, charge, expected, about);
}

const UNCHARGED = 'Nothing to claim; tell the operator that a finished call was not charged.';

/** A book or a price of the user's own is a declaration, and no document of the target. */
function priceWarrant({ grade }: Expected): Warrant {
  return grade === 'declared' ? declaration('the price book given by hand') : WARRANTS.price_book;
}

type About = Pick<FindingParts, 'evidence' | 'request_id' | 'call_id' | 'model'>;
export function aboutOf(record: ServedRecord, call: PaidCall): About {
  return {
    evidence: evidenceOf(record, call),
    request_id: record.request_id,
    call_id: call.call_id,
    model: call.model,
  };
}

type Judged = { readonly findings: readonly Finding[]; readonly why: string };

function point(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds,
  expected: Expected,
  due: PicoUsd,
  about: About,
): Judged {
  const book = bookOf(context, record);
  const counted = tokenDifferences(context.settings, call, record);
  const byTokens = book === null ? null : chargeOfRecordTokens(context, record, call.model, book);
  const findings: Finding[] = [];
  const fits = overlaps(charge, exactly(due));
  // A lawful count is told only where the charge is, wrongly, the price of it.
  const isCharged = !fits && byTokens !== null && overlaps(charge, exactly(byTokens));
  const isLawful = book !== null && isLawfulCount(book.usage_semantics, call, counted);
  const differences = isLawful && !isCharged ? [] : counted;
  // The difference in the tokens explains what the record's own tokens cost more; the rest is in the amount.
  const explained =
    differences.length === 0 || fits ? exactly(due) : byTokens === null ? charge : exactly(byTokens);
  if (differences.length > 0) {
    findings.push(
      makeFinding({
        ...about,
        ...tokenFault(call, record, differences, signedUsdText(due)),
        confidence: 'proved',
        warrant: WARRANTS.answer,
        delta: deltaOf(explained, exactly(due)),
      }),
    );
  }
  if (!overlaps(charge, explained)) {
    const nothing = isZero(charge);
    const above = !nothing && isAboveReserve(context, record);
    const rule = above ? 'record_arithmetic' : 'amount';
    findings.push(
      makeFinding({
        ...about,
        class: nothing ? 'uncharged_success' : above ? 'settle_above_reserve' : 'amount_mismatch',
        rule: nothing ? record.billing_status : rule,
        confidence: 'proved',
        warrant: priceWarrant(expected),
        delta: deltaOf(charge, explained),
        explanation: `${chargeText(explained)} is due by the price book, record ${record.id} charges ${chargeText(charge)}.`,
        next_step: nothing ? UNCHARGED : amountStep(charge, explained),
        ...(above
          ? WORDING.settle_above_reserve({
              charge: chargeText(charge),
              reserved: signedUsdText(record.reserved.hi ?? 0n),
              due: chargeText(explained),
            })
          : {}),
      }),
    );
  }
  const right = findings.length === 0;
  return {
    findings,
    why: right
      ? `charged ${chargeText(charge)}, as due`
      : `due ${signedUsdText(due)}, charged ${chargeText(charge)}`,
  };
}

function interval(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds,
  expected: Expected,
  about: About,
): Judged {
  const bounds = `between ${signedUsdText(expected.lo)} and ${signedUsdText(expected.hi)}`;
  if (isLessAllowed(call, charge, expected)) {
    const what = isZero(charge) ? 'not charged' : `charged ${chargeText(charge)}`;
    return { findings: [], why: `${what}; ${bounds} was possible` };
  }
  if (isEmptyAnswer(call) && expected.zero_allowed && overlaps(charge, expected)) {
    return {
      findings: [emptyOutput(charge, about)],
      why: `charged ${chargeText(charge)} for an empty answer`,
    };
  }
  const counted = dueByRecord(context, call, record);
  const own = counted === null ? null : exactly(counted);
  // Of a call that finished its record's count tells what the answer left open.
  const isTold = own !== null && recordDue(call) === 'must' && overlaps(own, expected);
  if (!isTold && !overlaps(charge, expected)) {
    return {
      findings: [outside(context, call, record, charge, expected, about)],
      why: `due ${bounds}`,
    };
  }
  const isExcused = recordDue(call) !== 'must' && own !== null && charge.hi < own.lo;
  if (isOtherCount(context, call, record)) {
    return { findings: [outside(context, call, record, charge, expected, about)], why: `due ${bounds}` };
  }
  if (own === null || isExcused || overlaps(charge, own)) {
    const by = own === null || isExcused ? '' : ', and its own tokens price to that amount';
    return {
      findings: [
        ...estimatedUsage(context, call, record, charge, expected),
        ...retriedAttempt(context, call, charge, about),
      ],
      why: `charged ${chargeText(charge)}, ${bounds} is due${by}`,
    };
  }
  const nothing = isZero(charge);
  return {
    findings: [
      makeFinding({
        ...about,
        class: nothing ? 'uncharged_success' : 'amount_mismatch',
        rule: nothing ? record.billing_status : 'own_tokens',
        confidence: 'proved',
        warrant: priceWarrant(expected),
        delta: deltaOf(charge, own),
        explanation: `Record ${record.id} charges ${chargeText(charge)}, but its own token counts price to ${chargeText(own)}.`,
        next_step: nothing ? UNCHARGED : amountStep(charge, own),
      }),
    ],
    why: `due ${bounds}`,
  };
}

/** Of an answer that may hold its reasoning or not, the record counts other tokens in any case. */
function isOtherCount(context: JudgeContext, call: PaidCall, record: ServedRecord): boolean {
  if ((call.row?.usage?.reasoning ?? 0) === 0 || record.usage_estimated || call.outcome !== 'ok')
    return false;
  const semantics = bookOf(context, record)?.usage_semantics ?? UNKNOWN_SEMANTICS;
  return !isLawfulCount(semantics, call, tokenDifferences(context.settings, call, record));
}

/**
 * A call that did not complete may be charged whole, in part, by an estimate or not at all: no document tells a least
 * charge.
 */
function isLessAllowed(call: PaidCall, charge: AmountBounds, { zero_allowed, lo }: Expected): boolean {
  if (!zero_allowed) return false;
  return isZero(charge) || (recordDue(call) !== 'must' && charge.lo >= 0n && charge.hi < lo);
}

/** What the tokens of a record price to; null where they are the call's own, or leave a part of it open. */
function dueByRecord(context: JudgeContext, call: PaidCall, record: ServedRecord): PicoUsd | null {
  const book = bookOf(context, record);
  // A record that stands for its own call counts what the call counts.
  if (book === null || (isRecordCall(call.call_id) && call.outcome === 'ok')) return null;
  const counted = tokenDifferences(context.settings, call, record);
  if (counted.length > 0 && isLawfulCount(book.usage_semantics, call, counted)) return null;
  if (record.usage_estimated || !tellsInput(book, record)) return null;
  const due = chargeOfRecordTokens(context, record, call.model, book);
  return due === null || mayBeHidden(context, call, record, due) ? null : due;
}

/** The record need not count the reasoning of an answer whose usage nobody told. */
function mayBeHidden(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  byTokens: PicoUsd,
): boolean {
  const book = bookOf(context, record);
  const facts = recordTokens(context.settings, record);
  if (book === null || facts === null) return false;
  return isMadeOfHidden(context, book, { call, record, facts, lo: byTokens, hi: byTokens });
}

/** Below the gate: a 5xx does not prove that nothing was charged, and an answer may have been on a lost connection. */
function retriedAttempt(
  context: JudgeContext,
  call: PaidCall,
  charge: AmountBounds,
  about: About,
): readonly Finding[] {
  const ended = context.retried.get(call.call_id);
  if (ended === undefined) return [];
  const status = call.row?.status ?? 0;
  return [
    makeFinding({
      ...about,
      class: 'retry_double_charge',
      rule: ended === 'lost' ? 'connection_lost' : `status_${status}`,
      confidence: 'bounded',
      warrant: WARRANTS.answer,
      severity: 'S4',
      direction: 'over',
      delta: { min: 0n, max: charge.hi },
      ...WORDING.retry_double_charge({
        attempt: call.attempt,
        how: ended === 'lost' ? 'lost its connection' : `failed with status ${status}`,
        own: chargeText(charge),
      }),
    }),
  ];
}

/** A fact below the gate: a completed request is charged (interface §1.6), unless the terms of the target say otherwise. */
export function emptyOutput(charge: AmountBounds, about: About): Finding {
  return makeFinding({
    ...about,
    class: 'charged_empty_output',
    rule: 'unsaid',
    severity: 'S4',
    confidence: 'bounded',
    warrant: WARRANTS.answer,
    direction: 'over',
    delta: { min: 0n, max: charge.hi },
    ...WORDING.charged_empty_output({ charge: chargeText(charge), said: false }),
  });
}

function outside(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds,
  expected: Expected,
  about: About,
): Finding {
  const over = charge.lo > expected.hi;
  const bounds = `between ${signedUsdText(expected.lo)} and ${signedUsdText(expected.hi)}`;
  const serverError = call.outcome === 'http_error' && over;
  const certain = recordDue(call) === 'must';
  const parts = {
    ...about,
    confidence: 'bounded',
    delta: {
      min: charge.lo - expected.hi,
      max: charge.hi - (expected.zero_allowed && over ? 0n : expected.lo),
    },
  } as const;
  const counted = tokenDifferences(context.settings, call, record);
  const semantics = bookOf(context, record)?.usage_semantics ?? UNKNOWN_SEMANTICS;
  if (certain && !isZero(charge) && !isLawfulCount(semantics, call, counted))
    return makeFinding({
      ...parts,
      ...tokenFault(call, record, counted, bounds),
      warrant: WARRANTS.answer,
    });
  return makeFinding({
    ...parts,
    class: certain
      ? isZero(charge)
        ? 'uncharged_success'
        : 'amount_mismatch'
      : serverError
        ? 'charged_on_server_error'
        : over
          ? 'disconnect_overcharge'
          : 'disconnect_undercharge',
    rule: over ? 'above_bound' : 'below_bound',
    warrant: priceWarrant(expected),
    explanation: `The call ended as ${call.outcome}; ${bounds} can be due, record ${record.id} charges ${chargeText(charge)}.`,
    next_step: over
      ? 'Ask the operator what exceeds the upper bound, with the request id.'
      : 'Nothing to claim; tell the operator that delivered output was charged too low.',
  });
}
