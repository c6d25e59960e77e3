import type { MoneyResult, SuspenseSum } from '../core/result.ts';
import { ABSENT, usd } from './figure-text.ts';
import { type Block, table, text } from './report-document.ts';

/** Charges that are still awaited, by age, and the account of those that earlier runs left open. */
export function openMoneyBlocks({ aging, suspense }: MoneyResult): readonly Block[] {
  const waiting = aging.filter(({ calls }) => calls > 0);
  const account = suspense === null || isEmpty(suspense) ? null : suspense;
  return [
    ...(waiting.length === 0
      ? []
      : [
          text('Charges still awaited, by their age at the last read'),
          table(
            ['age', '#calls', '#at least', '#at most'],
            waiting.map(({ bucket, calls, lo, hi }) => [bucket, String(calls), usd(lo), usd(hi)]),
          ),
        ]),
    ...(account === null
      ? []
      : [
          text('Open items from run to run: opening + added − cleared = closing'),
          table(
            ['suspense', '#items', '#at most'],
            [
              ['opening', ...cells(account.opening)],
              ['+ added', ...cells(account.added)],
              ['− cleared', ...cells(account.cleared)],
              ['= closing', ...cells(account.closing)],
            ],
          ),
        ]),
  ];
}

function isEmpty(suspense: NonNullable<MoneyResult['suspense']>): boolean {
  return suspense.opening.items === 0 && suspense.added.items === 0;
}

function cells({ items, amount }: SuspenseSum): readonly [string, string] {
  return [String(items), amount === null ? ABSENT : usd(amount)];
}
