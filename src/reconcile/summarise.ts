import { formatAmount, type PicoUsd, parseAmount } from '../core/amount.ts';
import type { Finding } from '../core/finding.ts';
import type { CoverageResult, CoverageSetting, FindingGroup, MoneyResult } from '../core/result.ts';
import { chargeOf } from './charge.ts';
import type { JudgeContext } from './judge-context.ts';
import type { Checked, Judgement } from './judgement.ts';
import type { Tolerances } from './reconcile-input.ts';
import type { ServedRecord } from './served-record.ts';

/**
 * At or above the gate, never provisional, and not already told by the finding over its group. Where the tolerances
 * name classes or an amount, only those classes and what exceeds the amount. An unreadable book leaves no conclusion, so
 * it accuses nobody.
 */
export function gates(finding: Finding, { gate, gate_usd, gate_classes }: Tolerances): boolean {
  return (
    !finding.provisional &&
    finding.group === null &&
    finding.severity <= gate &&
    finding.class !== 'price_book_unreadable' &&
    (gate_classes.length === 0 || gate_classes.includes(finding.class)) &&
    exceeds(finding, parseAmount(gate_usd) ?? 0n)
  );
}

/** Any amount exceeds 0, none at all too; a charge that is wrong by an unknown amount exceeds everything. */
function exceeds({ direction, delta_min, delta_max }: Finding, least: PicoUsd): boolean {
  if (least <= 0n) return true;
  const bounds = [delta_min, delta_max].map((text) => (text === null ? null : parseAmount(text)));
  if (bounds.every((bound) => bound === null)) return direction !== 'none';
  return bounds.some((bound) => bound !== null && (bound > least || -bound > least));
}

export function findingGroups(findings: readonly Finding[], tolerances: Tolerances): readonly FindingGroup[] {
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
        gates: group.some((finding) => gates(finding, tolerances)),
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
  function lowestCharge(record: ServedRecord): PicoUsd | null {
    return chargeOf(record, context.settings)?.lo ?? null;
  }
  function shown(amount: PicoUsd | null): string | null {
    return unread || amount === null ? null : formatAmount(amount);
  }
  return {
    expected: points.length === 0 ? null : formatAmount(due),
    charged: shown(sumKnown(money.map(({ charged }) => charged))),
    charged_inexact: shown(sumKnown(money.filter(({ due }) => due === null).map(({ charged }) => charged))),
    refunded: shown(sumKnown(ours.map(({ refunded }) => refunded.lo))),
    pending: shown(sumKnown(ours.map(({ role, reserved }) => (role === 'pending' ? reserved.lo : 0n)))),
    difference:
      points.length === 0 ? null : formatAmount(sum(points.map(({ charged }) => charged ?? 0n)) - due),
    certain_over: shown(sum(money.map(({ certain_over }) => certain_over))),
    certain_under: shown(sum(money.map(({ certain_under }) => certain_under))),
    open: shown(sum(money.map(({ open }) => open))),
    records: ours.length,
    foreign: { records: foreign.length, amount: shown(sumKnown(foreign.map(lowestCharge))) },
    aging: [],
    suspense: null,
    by_model: [],
    by_day: [],
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
    sum(money.map(({ checked, weight }) => (checked === part ? weight : 0n))),
  );
  const shares = sharesOf(amounts);
  const unreadable = unreadableCharges(judgements);
  return {
    to_the_digit: shares[0] ?? null,
    within_bounds: shares[1] ?? null,
    not_checkable: shares[2] ?? null,
    provisional: shares[3] ?? null,
    prices: { published: pricedModels, declared: 0, inferred: 0 },
    settings: unreadable === 0 ? settings : [...settings, unreadableSetting(unreadable)],
    basis: { client: shares[0] ?? null, record: null },
    consistent: null,
    not_checkable_why: [],
    provisional_until: null,
    exercised: [],
    classes: [],
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

/** The sum; null where one of them is not known, for absent is never 0. */
function sumKnown(amounts: readonly (PicoUsd | null)[]): PicoUsd | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length < amounts.length ? null : sum(known);
}

/** Charges whose amount cannot be read. */
export function unreadableCharges(judgements: readonly Judgement[]): number {
  return judgements.flatMap(({ money }) => money).filter(({ charged }) => charged === null).length;
}

function unreadableSetting(count: number): CoverageSetting {
  return {
    name: 'unreadable_amounts',
    value: String(count),
    evidence: 'charges whose amount cannot be read: not checkable, counted with the most that can be due',
  };
}
