import type { MatchingRow } from '../../contracts/result.ts';
import type { ChargedMoney, MoneyResult } from '../../contracts/result-money.ts';
import { plural } from '../../text/plural.ts';
import { signedUsd, sumText, usd } from '../words/figure-text.ts';
import { type Block, table, text } from './report-document.ts';

const MOST_ROWS = 30;

/** By model, dearest first, and by UTC day; one model or one day alone says nothing new. */
export function moneyByBlocks({ by_model, by_day }: MoneyResult): readonly Block[] {
  return [
    ...(by_model.length < 2
      ? []
      : sumsTable(
          'model',
          by_model.map((each) => [each.model, each]),
        )),
    ...(by_day.length < 2
      ? []
      : sumsTable(
          'UTC day',
          by_day.map((each) => [each.day, each]),
        )),
  ];
}

function sumsTable(what: string, rows: readonly (readonly [string, ChargedMoney])[]): readonly Block[] {
  const shown = rows.length > MOST_ROWS ? rows.slice(0, MOST_ROWS - 1) : rows;
  const rest = rows.slice(shown.length);
  const all =
    rest.length === 0 ? shown : [...shown, [`${plural(rest.length, 'other')}`, sumOf(rest)] as const];
  return [
    text(`By ${what}`),
    table(
      [what, '#calls', '#charged', '#expected', '#difference'],
      all.map(([name, { calls, charged, expected, difference }]) => [
        name,
        String(calls),
        usd(charged),
        usd(expected),
        signedUsd(difference),
      ]),
    ),
  ];
}

function sumOf(rows: readonly (readonly [string, ChargedMoney])[]): ChargedMoney {
  const of = (field: 'charged' | 'expected' | 'difference'): string | null =>
    sumText(rows.map(([, each]) => each[field]));
  return {
    calls: rows.reduce((sum, [, { calls }]) => sum + calls, 0),
    charged: of('charged'),
    expected: of('expected'),
    difference: of('difference'),
  };
}

/** How calls and records were brought together. */
export function matchingBlocks(matching: readonly MatchingRow[] | null): readonly Block[] {
  if (matching === null || matching.length === 0) return [];
  return [
    text('How calls and records were brought together'),
    table(
      ['pass', '#rows', '#charged'],
      matching.map(({ pass, pairs, charged }) => [pass, String(pairs), usd(charged)]),
    ),
  ];
}
