import type { Finding } from '../../contracts/finding.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { parseAmount } from '../../core/amount.ts';
import { chargeContext, recordTokens } from '../expect/call-facts.ts';
import { exactOf } from '../expect/charge.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import type { JudgedSubject, Judgement } from '../judge/judgement.ts';
import { type MismatchedRow, type PricedRow, priceOf } from './mismatched-row.ts';

/** Findings that say only that an amount is wrong; all others name what is. */
export function isUnexplained({ class: named, rule, delta_exact }: Finding): boolean {
  if (delta_exact === null) return false;
  return named === 'amount_mismatch' || (named === 'settle_above_reserve' && rule === 'record_arithmetic');
}

/** The row of a judgement whose amount is unexplained; null where it has none, or its facts are not points. */
export function mismatchedRow(context: JudgeContext, { subject, findings }: Judgement): MismatchedRow | null {
  const finding = findings.find(isUnexplained);
  const charged = subject?.charge == null ? null : exactOf(subject.charge);
  if (subject === undefined || finding === undefined || charged === null) return null;
  const due = charged - (parseAmount(finding.delta_exact ?? '') ?? 0n);
  const row = pricedRow(context, subject, charged, due);
  return row === null ? null : { ...row, finding };
}

/** The row of a judgement that nothing is wrong with; null where that is not known to the digit. */
export function acceptedRow(context: JudgeContext, { subject, findings }: Judgement): PricedRow | null {
  if (subject === undefined || findings.length > 0 || subject.charge === null) return null;
  const charged = exactOf(subject.charge);
  const due = 'unknown' in subject.expectation ? null : subject.expectation.point;
  if (charged === null || due === null || charged !== due) return null;
  return pricedRow(context, subject, charged, due);
}

function pricedRow(
  context: JudgeContext,
  { call, record, expectation }: JudgedSubject,
  charged: PicoUsd,
  due: PicoUsd,
): PricedRow | null {
  const book = bookOf(context, record);
  if (book === null || 'unknown' in expectation) return null;
  const by = chargeContext(context, call);
  const told = expectation.point === due ? expectation.facts : null;
  for (const facts of [told, recordTokens(context.settings, record)]) {
    if (facts === null) continue;
    const price = priceOf(book, facts, by);
    if (price?.rounded !== due) continue;
    return {
      key: `${record.key} ${call.call_id}`,
      record_id: record.id,
      charged,
      due,
      exact: price.exact,
      reserved: record.reserved.exact,
      facts,
      context: by,
      book,
      rounding_open: context.shelf.trustOf(book, call.model, call.kind).kind === 'undeclared',
    };
  }
  return null;
}
