import type { RecordCoverage } from '../../contracts/result.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import { kindOf } from '../../pricebook/match-model.ts';
import type { Judgement } from '../judges/judgement.ts';
import { sum } from '../outcome/sum-amounts.ts';

/** Judged by what the record itself says, for nothing tells what the client saw. */
export function isOfRecord({ calls }: Judgement): boolean {
  return calls.some(({ basis }) => basis === 'record');
}

/** What of its charges its record does not tell enough of to check them. */
export function untoldWeight({ subject, money }: Judgement): PicoUsd {
  if (subject === undefined || !('untold' in subject.expectation)) return 0n;
  const parts = money.filter(({ checked, charged }) => checked === 'not_checkable' && charged !== null);
  return sum(parts.map(({ weight }) => weight));
}

/** The charges of an audit without a ledger by what was bought; what was not charged is not there. */
export function recordCoverage(judgements: readonly Judgement[]): readonly RecordCoverage[] {
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
