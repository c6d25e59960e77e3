import { formatAmount, type PicoUsd, parseAmount } from '../core/amount.ts';
import type { Severity } from '../core/fault-class.ts';
import type { Finding } from '../core/finding.ts';
import type { CoverageResult, CoverageSetting, FindingGroup, MoneyResult } from '../core/result.ts';
import { chargedOf } from './billing-settings.ts';
import type { JudgeContext } from './judge-context.ts';
import type { Checked, Judgement } from './judgement.ts';
import type { ServedRecord } from './served-record.ts';

/** At or above the gate, any amount, never provisional. */
export function gates(finding: Finding, gate: Severity): boolean {
  return !finding.provisional && finding.severity <= gate;
}

export function findingGroups(findings: readonly Finding[], gate: Severity): readonly FindingGroup[] {
  const byClass = Map.groupBy(findings, (finding) => `${finding.class} ${finding.severity}`);
  return [...byClass.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const deltas = group.flatMap(({ delta_exact }) =>
      delta_exact === null ? [] : [parseAmount(delta_exact) ?? 0n],
    );
    return [
      {
        class: first.class,
        severity: first.severity,
        count: group.length,
        provisional: group.filter(({ provisional }) => provisional).length,
        delta: deltas.length === group.length ? formatAmount(sum(deltas)) : null,
        gates: group.some((finding) => gates(finding, gate)),
      },
    ];
  });
}

export function moneyResult(
  context: JudgeContext,
  judgements: readonly Judgement[],
  ours: readonly ServedRecord[],
  foreign: readonly ServedRecord[],
): MoneyResult {
  const money = judgements.flatMap((judgement) => judgement.money);
  const points = money.filter(({ due }) => due !== null);
  const due = sum(points.map((part) => part.due ?? 0n));
  const unread = context.sweep.sweep === null;
  const chargedOfAll = (records: readonly ServedRecord[]): PicoUsd =>
    sum(records.map((record) => chargedOf(record, context.settings) ?? 0n));
  function shown(amount: PicoUsd): string | null {
    return unread ? null : formatAmount(amount);
  }
  return {
    expected: points.length === 0 ? null : formatAmount(due),
    charged: shown(sum(money.map(({ charged }) => charged))),
    charged_inexact: shown(sum(money.filter(({ due }) => due === null).map(({ charged }) => charged))),
    refunded: shown(sum(ours.map(({ refunded }) => refunded.exact ?? 0n))),
    pending: shown(
      sum(
        ours.map(({ billing_status, reserved }) =>
          billing_status === 'pending' ? (reserved.exact ?? 0n) : 0n,
        ),
      ),
    ),
    difference: points.length === 0 ? null : formatAmount(sum(points.map(({ charged }) => charged)) - due),
    certain_over: shown(sum(money.map(({ certain_over }) => certain_over))),
    certain_under: shown(sum(money.map(({ certain_under }) => certain_under))),
    open: shown(sum(money.map(({ open }) => open))),
    records: ours.length,
    foreign: { records: foreign.length, amount: formatAmount(chargedOfAll(foreign)) },
  };
}

const PARTS: readonly Checked[] = ['to_the_digit', 'within_bounds', 'not_checkable', 'provisional'];
const SHARE_SCALE = 1_000_000_000n;

export function coverageResult(
  judgements: readonly Judgement[],
  pricedModels: number,
  settings: readonly CoverageSetting[],
): CoverageResult {
  const money = judgements.flatMap((judgement) => judgement.money);
  const amounts = PARTS.map((part) =>
    sum(money.map(({ checked, charged }) => (checked === part && charged > 0n ? charged : 0n))),
  );
  const shares = sharesOf(amounts);
  return {
    to_the_digit: shares[0] ?? null,
    within_bounds: shares[1] ?? null,
    not_checkable: shares[2] ?? null,
    provisional: shares[3] ?? null,
    prices: { published: pricedModels, declared: 0, inferred: 0 },
    settings,
  };
}

/** Shares with nine decimals, rounded down; what that leaves goes to the largest, but never makes it whole. */
function sharesOf(amounts: readonly PicoUsd[]): readonly (number | null)[] {
  const total = sum(amounts);
  if (total === 0n) return amounts.map(() => null);
  const floors = amounts.map((amount) => (amount * SHARE_SCALE) / total);
  const rest = SHARE_SCALE - sum(floors);
  const smallest = floors.findIndex((floor, index) => floor === 0n && (amounts[index] ?? 0n) > 0n);
  const largest = floors.findIndex((floor) => floors.every((other) => other <= floor));
  const taker = smallest === -1 ? largest : smallest;
  return floors.map((floor, index) => Number(index === taker ? floor + rest : floor) / Number(SHARE_SCALE));
}

function sum(amounts: readonly PicoUsd[]): PicoUsd {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
