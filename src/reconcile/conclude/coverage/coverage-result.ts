import {
  type CoverageResult,
  type CoverageSetting,
  type RecordCoverage,
  shownSetting,
} from '../../../contracts/coverage-result.ts';
import type { Finding } from '../../../contracts/finding.ts';
import type { PriceGrade } from '../../../contracts/reconciliation.ts';
import { formatAmount, type PicoUsd } from '../../../core/amount.ts';
import { isPaidKind } from '../../../core/call-kind.ts';
import { kindOf } from '../../../pricebook/charge/match-model.ts';
import type { JudgeContext } from '../../expect/judge-context.ts';
import { restsOnInference } from '../../expect/rests-on-inference.ts';
import type { Checked, JudgedSubject, Judgement } from '../../judge/judgement.ts';
import { sum } from '../../records/sum-amounts.ts';
import { classCoverage } from './class-coverage.ts';
import { exercisedLines } from './exercised-lines.ts';
import { notCheckable } from './not-checkable.ts';
import { sharesOf } from './shares-of.ts';

const PARTS: readonly Checked[] = ['to_the_digit', 'within_bounds', 'not_checkable', 'provisional'];

/** How far the charged money was checked, by what, and what of the prices and faults could have shown at all. */
export function coverageResult(
  context: JudgeContext,
  judgements: readonly Judgement[],
  findings: readonly Finding[],
  settings: readonly CoverageSetting[],
): CoverageResult {
  const amounts = PARTS.map((part) => weightOf(judgements, part));
  const [digit = null, bounds = null, unchecked = null, provisional = null] = sharesOf(amounts);
  const byRecord = weightOf(judgements.filter(isOfRecord), 'to_the_digit');
  const inferred = weightOf(
    judgements.filter((judgement) => isInferred(context, judgement)),
    'within_bounds',
  );
  const record = partOf(digit, byRecord, amounts[0] ?? 0n);
  const consistent = partOf(bounds, inferred, amounts[1] ?? 0n);
  const unreadable = unreadableCharges(judgements);
  return {
    to_the_digit: digit,
    within_bounds: bounds,
    not_checkable: unchecked,
    provisional,
    charges: chargesOf(judgements),
    prices: modelsByGrade(judgements),
    settings: unreadable === 0 ? settings : [...settings, unreadableSetting(unreadable)],
    basis: { client: remainder(digit, record), record },
    consistent,
    not_checkable_why: notCheckable(judgements, unchecked),
    untold: partOf(unchecked, sum(judgements.map(untoldWeight)), amounts[2] ?? 0n),
    of_records: recordCoverage(judgements),
    provisional_until: lastDeadline(findings),
    exercised: exercisedLines(context, judgements),
    classes: classCoverage(context, judgements, findings),
  };
}

/** A surplus charge is one by itself; calls without an id are one for each, by their common sum. */
function chargesOf(judgements: readonly Judgement[]): CoverageResult['charges'] {
  const counted = judgements.flatMap(({ money, sum: common, stands_for: others = 0 }) =>
    money.flatMap(({ checked, charged, due }, index) => {
      if (charged === 0n) return [];
      const isLast = index === money.length - 1;
      const of = others > 0 && isLast ? others : index === 0 ? (common?.call_ids.length ?? 1) : 1;
      return [{ of, matched: checked === 'to_the_digit' && charged === due ? of : 0 }];
    }),
  );
  return {
    matched: counted.reduce((total, { matched }) => total + matched, 0),
    of: counted.reduce((total, { of }) => total + of, 0),
  };
}

/** Charges whose amount cannot be read. */
export function unreadableCharges(judgements: readonly Judgement[]): number {
  return judgements.flatMap(({ money }) => money).filter(({ charged }) => charged === null).length;
}

function weightOf(judgements: readonly Judgement[], part: Checked): PicoUsd {
  return sum(
    judgements.flatMap(({ money }) => money).map(({ checked, weight }) => (checked === part ? weight : 0n)),
  );
}

/** The share of a part of an amount whose own share is given; null where nothing was charged. */
function partOf(share: number | null, part: PicoUsd, whole: PicoUsd): number | null {
  return share === null ? null : (sharesOf([part, whole - part], share)[0] ?? 0);
}

/** `whole` − `part` in the nine decimals that both have. */
function remainder(whole: number | null, part: number | null): number | null {
  return whole === null || part === null ? null : Number((whole - part).toFixed(9));
}

function isInferred(context: JudgeContext, { subject }: Judgement): boolean {
  return (
    subject !== undefined && restsOnInference(context, subject.call, subject.record) && !isNearPrice(subject)
  );
}

const HUNDREDTH = 100n;

/** True within a hundredth of a price that somebody told: only how it is rounded was learnt from the rows. */
function isNearPrice({ charge, expectation }: JudgedSubject): boolean {
  if (charge === null || 'unknown' in expectation || expectation.grade === 'inferred') return false;
  const { exact } = expectation;
  if (exact === undefined || exact === null) return false;
  const due = (exact.num * 10n ** 12n) / exact.den;
  return (charge.hi - due) * HUNDREDTH <= due && (due - charge.lo) * HUNDREDTH <= due;
}

/** Models by how their prices are known; one that was priced in two ways counts under both. */
function modelsByGrade(judgements: readonly Judgement[]): CoverageResult['prices'] {
  const models: Readonly<Record<PriceGrade, Set<string | null>>> = {
    published: new Set(),
    declared: new Set(),
    inferred: new Set(),
  };
  for (const { grade, model, lines } of judgements.flatMap(({ calls }) => calls)) {
    if (grade !== null && lines.length > 0) models[grade].add(model);
  }
  const { published, declared, inferred } = models;
  return { published: published.size, declared: declared.size, inferred: inferred.size };
}

function lastDeadline(findings: readonly Finding[]): string | null {
  return findings.reduce<string | null>(
    (last, { provisional, deadline_at: at }) =>
      provisional && at !== null && (last === null || at > last) ? at : last,
    null,
  );
}

function unreadableSetting(count: number): CoverageSetting {
  return shownSetting({
    name: 'unreadable_amounts',
    value: String(count),
    evidence: 'charges whose amount cannot be read: not checkable, counted with the most that can be due',
  });
}

/** Judged by what the record itself says, for nothing tells what the client saw. */
function isOfRecord({ calls }: Judgement): boolean {
  return calls.some(({ basis }) => basis === 'record');
}

/** What of its charges its record does not tell enough of to check them. */
function untoldWeight({ subject, money }: Judgement): PicoUsd {
  if (subject === undefined || !('untold' in subject.expectation)) return 0n;
  const parts = money.filter(({ checked, charged }) => checked === 'not_checkable' && charged !== null);
  return sum(parts.map(({ weight }) => weight));
}

/** The charges of an audit without a ledger by what was bought; what was not charged is not there. */
function recordCoverage(judgements: readonly Judgement[]): readonly RecordCoverage[] {
  const byKind = Map.groupBy(judgements.filter(isOfRecord), ({ calls }) => {
    const kind = calls[0]?.kind ?? null;
    return kind === null || !isPaidKind(kind) ? 'text' : kindOf(kind);
  });
  return (['text', 'image', 'video'] as const).flatMap((kind) => {
    const held = byKind.get(kind) ?? [];
    const money = held.flatMap((judgement) => judgement.money);
    const checked = money.filter(
      (part) => part.checked === 'to_the_digit' || part.checked === 'within_bounds',
    );
    const charged = sum(money.map(({ weight }) => weight));
    return charged === 0n
      ? []
      : [
          {
            kind,
            charged: formatAmount(charged),
            checked: formatAmount(sum(checked.map(({ weight }) => weight))),
            untold: formatAmount(sum(held.map(untoldWeight))),
          },
        ];
  });
}
