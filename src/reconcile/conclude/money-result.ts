import type { MoneyResult, TrafficSum } from '../../contracts/result-money.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import { chargeOf } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { Judgement } from '../judges/judgement.ts';
import { OTHERS } from '../match/whose-record.ts';
import { type AcceptedSums, acceptedCalls } from '../records/accepted-sums.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { sum, sumKnown } from '../records/sum-amounts.ts';

/** The sums of all judgements; what is told by model, by day, by age and of earlier runs is added by the caller. */
export function moneyResult(
  context: JudgeContext,
  judgements: readonly Judgement[],
  ours: readonly ServedRecord[],
  notOurs: readonly ServedRecord[],
  accepted: AcceptedSums,
): MoneyResult {
  const given = sum(accepted.groups.map(({ refunded }) => refunded));
  const money = judgements.flatMap((judgement) => judgement.money);
  const points = money.filter(({ due }) => due !== null);
  const due = sum(points.map((part) => part.due ?? 0n));
  const unread = context.sweep.sweep === null;
  function lowestCharge(record: ServedRecord): PicoUsd | null {
    return chargeOf(record, context.settings)?.lo ?? null;
  }
  function shown(amount: PicoUsd | null): string | null {
    return unread || amount === null ? null : formatAmount(amount);
  }
  function traffic(records: readonly ServedRecord[]): TrafficSum {
    return { records: records.length, amount: shown(sumKnown(records.map(lowestCharge))) };
  }
  function strangers(): Pick<MoneyResult, 'foreign' | 'known' | 'unattributed'> {
    const of = Map.groupBy(notOurs, (record) => (context.whose(record) ?? OTHERS).match);
    const known = Map.groupBy(of.get('known') ?? [], (record) => context.whose(record)?.of ?? '');
    const unattributed = of.get('unattributed') ?? [];
    return {
      foreign: traffic(of.get('foreign') ?? []),
      ...(known.size === 0
        ? {}
        : {
            known: [...known]
              .sort(([left], [right]) => compareText(left, right))
              .map(([name, records]) => ({ of: name, ...traffic(records) })),
          }),
      ...(unattributed.length === 0 ? {} : { unattributed: traffic(unattributed) }),
    };
  }
  return {
    expected: points.length === 0 ? null : formatAmount(due),
    charged: shown(sumKnown(money.map(({ charged }) => charged))),
    charged_inexact: shown(sumKnown(money.filter(({ due }) => due === null).map(({ charged }) => charged))),
    refunded: shown(sumKnown([given, ...ours.map(({ refunded }) => refunded.lo)])),
    pending: shown(sumKnown(ours.map(({ role, reserved }) => (role === 'pending' ? reserved.lo : 0n)))),
    difference:
      points.length === 0 ? null : formatAmount(sum(points.map(({ charged }) => charged ?? 0n)) - due),
    certain_over: shown(sum(money.map(({ certain_over }) => certain_over))),
    certain_under: shown(sum(money.map(({ certain_under }) => certain_under))),
    open: shown(sum(money.map(({ open }) => open))),
    records: ours.length + acceptedCalls(accepted),
    ...strangers(),
    aging: [],
    suspense: null,
    by_model: [],
    by_day: [],
  };
}
