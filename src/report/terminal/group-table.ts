import type { MoneyResult } from '../../contracts/result-money.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { plural } from '../../text/plural.ts';
import { signedUsd, usd } from '../words/figure-text.ts';

const MOST_ROWS = 10;

/** The money of each group that `--by` asked for, dearest first; what is not shown stands in the report. */
export function groupTable({ by_group = [] }: Partial<MoneyResult>): readonly string[] {
  const [first] = by_group;
  if (first === undefined) return [];
  const head = [first.by, 'calls', 'charged', 'expected', 'difference', "can't be told"];
  const rows = by_group
    .slice(0, MOST_ROWS)
    .map(({ by, group, calls, charged, expected, difference, open }) => [
      group ?? `no ${by}`,
      String(calls),
      usd(charged),
      usd(expected),
      signedUsd(difference),
      usd(open),
    ]);
  const more = by_group.length - rows.length;
  return [
    ...alignedRows([head, ...rows]),
    ...(more === 0 ? [] : [`The report has ${plural(more, 'more group')}.`]),
  ];
}
