import type { JudgedCall } from '../../contracts/reconciliation.ts';
import type {
  ChargedMoney,
  DayMoney,
  GroupMoney,
  KeyMoney,
  ModelMoney,
} from '../../contracts/result-money.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { instantOfSecond } from '../../core/time.ts';
import type { JudgedMoney, Judgement } from '../judge/judgement.ts';
import type { AcceptedSums } from '../records/accepted-sums.ts';

/** The money of each model, dearest first; the differences add up to that of the whole. */
export function moneyByModel(judgements: readonly Judgement[]): readonly ModelMoney[] {
  return sumsBy(judgements, ({ model }) => model ?? 'unknown')
    .map(([model, sums]) => ({ model, ...shown(sums) }))
    .sort((left, right) => byCharge(left, right) || (left.model < right.model ? -1 : 1));
}

/** The money of each UTC day of a record; without one, of the start of its call. */
export function moneyByDay(judgements: readonly Judgement[]): readonly DayMoney[] {
  return sumsBy(judgements, dayOf)
    .map(([day, sums]) => ({ day, ...shown(sums) }))
    .sort((left, right) => (left.day < right.day ? -1 : 1));
}

/**
 * The money of each API key, dearest first; null stands for what no row names the key of. Undefined where the rows name
 * fewer than two keys, and where a witness stands for calls of any key.
 */
export function moneyByKey(
  judgements: readonly Judgement[],
  { groups }: Pick<AcceptedSums, 'groups'>,
): readonly KeyMoney[] | undefined {
  if (groups.length > 0) return undefined;
  const sums = sumsBy(judgements, keyOfAll);
  if (sums.filter(([key]) => key !== null).length < 2) return undefined;
  return sums
    .map(([key_fp, of]) => ({ key_fp, ...shown(of) }))
    .sort((left, right) => byCharge(left, right) || ((left.key_fp ?? '') < (right.key_fp ?? '') ? -1 : 1));
}

/**
 * The money of each group that rows of another program name, dearest first; null stands for what names none. Undefined
 * where no record has a group, and where a witness stands for calls of any group.
 */
export function moneyByGroup(
  judgements: readonly Judgement[],
  { groups }: Pick<AcceptedSums, 'groups'>,
): readonly GroupMoney[] | undefined {
  const records = judgements.flatMap(({ calls }) => calls.flatMap(({ record }) => record?.group ?? []));
  const by = records[0]?.by;
  if (groups.length > 0 || by === undefined) return undefined;
  return sumsBy(judgements, groupOfAll)
    .map(([group, of]) => ({ by, group, ...shown(of) }))
    .sort((left, right) => byCharge(left, right) || ((left.group ?? '') < (right.group ?? '') ? -1 : 1));
}

interface Sums {
  calls: number;
  /** Null once a charge of the group cannot be read. */
  charged: PicoUsd | null;
  due: PicoUsd;
  /** Certainly too much less certainly too little. */
  certain: PicoUsd;
  open: PicoUsd;
  points: number;
}

function sumsBy<Key>(
  judgements: readonly Judgement[],
  keyOf: (call: JudgedCall, all: readonly JudgedCall[]) => Key,
): readonly (readonly [Key, Sums])[] {
  const groups = new Map<Key, Sums>();
  for (const { calls, money, stands_for = 0 } of judgements) {
    const [first] = calls;
    if (first === undefined || money.length === 0) continue;
    const key = keyOf(first, calls);
    const sums = groups.get(key) ?? { calls: 0, charged: 0n, due: 0n, certain: 0n, open: 0n, points: 0 };
    sums.calls += calls.length + stands_for;
    for (const part of money) add(sums, part);
    groups.set(key, sums);
  }
  return [...groups];
}

function add(sums: Sums, { charged, due, certain_over, certain_under, open }: JudgedMoney): void {
  sums.charged = sums.charged === null || charged === null ? null : sums.charged + charged;
  sums.due += due ?? 0n;
  sums.certain += certain_over - certain_under;
  sums.open += open;
  sums.points += due === null ? 0 : 1;
}

function shown({ calls, charged, due, certain, open, points }: Sums): ChargedMoney {
  return {
    calls,
    charged: charged === null ? null : formatAmount(charged),
    expected: points === 0 ? null : formatAmount(due),
    difference: charged === null && points === 0 ? null : formatAmount(certain),
    open: formatAmount(open),
  };
}

/** Calls that are charged together may have been made with several keys: then none of them is told. */
function keyOfAll({ row }: JudgedCall, all: readonly JudgedCall[]): string | null {
  const key = row?.key_fp ?? null;
  return all.every((call) => (call.row?.key_fp ?? null) === key) ? key : null;
}

/** Charged together, calls of several groups are told by none. */
function groupOfAll({ record }: JudgedCall, all: readonly JudgedCall[]): string | null {
  const name = record?.group?.name ?? null;
  return all.every((call) => (call.record?.group?.name ?? null) === name) ? name : null;
}

function dayOf({ record, started_at }: JudgedCall): string {
  const instant = instantOfSecond(record?.created_at ?? null) ?? started_at;
  return instant?.slice(0, 'YYYY-MM-DD'.length) ?? 'unknown';
}

function byCharge(left: Pick<ChargedMoney, 'charged'>, right: Pick<ChargedMoney, 'charged'>): number {
  const [one, other] = [left, right].map(({ charged }) => parseAmount(charged ?? '0') ?? 0n);
  return (one ?? 0n) > (other ?? 0n) ? -1 : (one ?? 0n) < (other ?? 0n) ? 1 : 0;
}
