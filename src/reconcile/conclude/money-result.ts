import type { RowMoney } from '../../contracts/reconciliation.ts';
import type { MoneyResult, TrafficSum } from '../../contracts/result-money.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import { chargeOf } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { JudgedMoney, Judgement } from '../judge/judgement.ts';
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
  const over = sum(money.map(({ certain_over }) => certain_over));
  const under = sum(money.map(({ certain_under }) => certain_under));
  const charged = sumKnown(money.map((part) => part.charged));
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
    charged: shown(charged),
    charged_inexact: shown(sumKnown(money.filter(({ due }) => due === null).map(({ charged }) => charged))),
    refunded: shown(sumKnown([given, ...ours.map(({ refunded }) => refunded.lo)])),
    pending: shown(sumKnown(ours.map(({ role, reserved }) => (role === 'pending' ? reserved.lo : 0n)))),
    difference: shown(charged === null && points.length === 0 ? null : over - under),
    certain_over: shown(over),
    certain_under: shown(under),
    open: shown(sum(money.map(({ open }) => open))),
    records: ours.length + acceptedCalls(accepted),
    ...strangers(),
    aging: [],
    suspense: null,
    by_model: [],
    by_day: [],
  };
}

/** Puts the money of a judgement on the one line that it is told in: its call, or the sum of its calls. */
export function withRowMoney(judgement: Judgement): Judgement {
  const { calls, money, sum } = judgement;
  if (money.length === 0) return judgement;
  const row = rowMoney(money);
  if (sum !== undefined) return { ...judgement, sum: { ...sum, money: row } };
  return { ...judgement, calls: calls.map((call, index) => (index === 0 ? { ...call, money: row } : call)) };
}

function rowMoney(parts: readonly JudgedMoney[]): RowMoney {
  const charges = parts.map(({ charged }) => charged);
  const known = charges.filter((charged) => charged !== null);
  const unread = known.length < charges.length;
  const points = parts.filter(({ due }) => due !== null);
  const over = total(parts.map(({ certain_over }) => certain_over));
  const under = total(parts.map(({ certain_under }) => certain_under));
  return {
    charged: unread ? null : formatAmount(total(known)),
    expected: points.length === 0 ? null : formatAmount(total(points.map((part) => part.due ?? 0n))),
    difference: unread && points.length === 0 ? null : formatAmount(over - under),
    certain_over: formatAmount(over),
    certain_under: formatAmount(under),
    open: formatAmount(total(parts.map(({ open }) => open))),
  };
}

function total(amounts: readonly PicoUsd[]): PicoUsd {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
