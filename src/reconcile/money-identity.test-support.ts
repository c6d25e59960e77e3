import type { Reconciliation } from '../contracts/reconciliation.ts';
import { parseAmount } from '../core/amount.ts';

interface Amounts {
  readonly charged: string | null;
  readonly expected: string | null;
  readonly difference: string | null;
  readonly open: string | null;
}

/**
 * Names each sum of a verdict that breaks charged = expected + difference + open: of the whole, of a row, of a model, of
 * a day, of a key, of a group. Names each whole that its rows do not add up to. Sums with a charge that can't be read are left out.
 */
export function brokenMoney({ money, calls, sums }: Reconciliation): readonly string[] {
  if (money.charged === null) return [];
  const rows = [...calls, ...sums].flatMap((row) => row.money ?? []);
  const named: readonly (readonly [string, Amounts])[] = [
    ['the whole', money],
    ...rows.map((row, index) => [`row ${index + 1}`, row] as const),
    ...money.by_model.map((row) => [row.model, row] as const),
    ...money.by_day.map((row) => [row.day, row] as const),
    ...(money.by_key ?? []).map((row) => [row.key_fp ?? 'no key', row] as const),
    ...(money.by_group ?? []).map((row) => [row.group ?? 'no group', row] as const),
  ];
  const unequal = named.filter(([, each]) => value(each.charged) !== accounted(each)).map(([name]) => name);
  const parts = {
    rows,
    models: money.by_model,
    days: money.by_day,
    keys: money.by_key ?? rows,
    groups: money.by_group ?? rows,
  };
  const apart = Object.entries(parts).flatMap(([name, each]: readonly [string, readonly Amounts[]]) =>
    (['charged', 'difference', 'open'] as const).flatMap((field) =>
      total(each, field) === value(money[field]) ? [] : [`${name} add up to another ${field}`],
    ),
  );
  return [...unequal, ...apart];
}

function accounted({ expected, difference, open }: Amounts): bigint {
  return value(expected) + value(difference) + value(open);
}

function total(parts: readonly Amounts[], field: 'charged' | 'difference' | 'open'): bigint {
  return parts.reduce((sum, part) => sum + value(part[field]), 0n);
}

function value(text: string | null): bigint {
  return text === null ? 0n : (parseAmount(text) ?? 0n);
}
