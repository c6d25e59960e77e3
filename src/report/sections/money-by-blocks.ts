import type { CoverageResult } from '../../contracts/coverage-result.ts';
import type { LoadResult } from '../../contracts/load-result.ts';
import type { MatchingRow } from '../../contracts/result.ts';
import type { ChargedMoney, MoneyResult } from '../../contracts/result-money.ts';
import type { LatencyTables, StreamFigures } from '../../contracts/time-figures.ts';
import { plural } from '../../text/plural.ts';
import { ABSENT, ms, percent, percents, signedUsd, sumText, usd } from '../words/figure-text.ts';
import { type Block, fold, table, text } from './report-document.ts';

const MOST_ROWS = 30;

/** By model, dearest first, by UTC day, and by the group that was asked for; one alone says nothing new, unless asked. */
export function moneyByBlocks({ by_model, by_day, by_group = [] }: MoneyResult): readonly Block[] {
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
    ...by_group.slice(0, 1).flatMap(({ by }) =>
      sumsTable(
        by,
        by_group.map((each) => [each.group ?? `no ${by}`, each]),
      ),
    ),
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
      [what, '#calls', '#charged', '#expected', '#difference', "#can't be told"],
      all.map(([name, { calls, charged, expected, difference, open }]) => [
        name,
        String(calls),
        usd(charged),
        usd(expected),
        signedUsd(difference),
        usd(open),
      ]),
    ),
  ];
}

function sumOf(rows: readonly (readonly [string, ChargedMoney])[]): ChargedMoney {
  const of = (field: 'charged' | 'expected' | 'difference' | 'open'): string | null =>
    sumText(rows.map(([, each]) => each[field]));
  return {
    calls: rows.reduce((sum, [, { calls }]) => sum + calls, 0),
    charged: of('charged'),
    expected: of('expected'),
    difference: of('difference'),
    open: of('open'),
  };
}

/** How calls and records were brought together. */
export function matchingBlocks(matching: readonly MatchingRow[] | null): readonly Block[] {
  if (matching === null || matching.length === 0) return [];
  return [
    text('How calls and usage records were matched'),
    table(
      ['pass', '#rows', '#charged'],
      matching.map(({ pass, pairs, charged }) => [pass, String(pairs), usd(charged)]),
    ),
  ];
}

/** How much of the charged money could be checked, and until when it may change; why not all: undecided-section. */
export function coverageBlocks(coverage: CoverageResult): readonly Block[] {
  const { basis, consistent, prices, provisional_until } = coverage;
  const { published, declared, inferred } = prices;
  const notes = [
    ...(basis.record === null || basis.record === 0
      ? []
      : [
          `${percent(basis.record)} of the charged USD was checked to the digit against the tokens of the records, and not against what a client saw.`,
        ]),
    ...(consistent === null || consistent === 0
      ? []
      : [
          `${percent(consistent)} equals prices or a rounding that were inferred from these records. The records agree with themselves, which proves no amount.`,
        ]),
    `Prices: ${published} published by the target, ${declared} declared, ${inferred} inferred from records.`,
    ...(provisional_until === null ? [] : [`Provisional until ${provisional_until}.`]),
  ];
  return [text('How much of the charged money could be checked'), shareTable(coverage), ...notes.map(text)];
}

function shareTable(coverage: CoverageResult): Block {
  const { to_the_digit, within_bounds, not_checkable, provisional } = coverage;
  const names = ['to the digit', 'within bounds', 'not checkable', 'provisional'];
  const shares = percents([to_the_digit, within_bounds, not_checkable, provisional]);
  return table(
    ['checked', '#share of charged USD'],
    names.map((name, index) => [name, shares[index] ?? ABSENT]),
  );
}

const MOST_LINES = 60;

/** What of the book was put to the test, and what 0 of n means for each class. */
export function exercisedBlocks({ exercised, classes }: CoverageResult): readonly Block[] {
  const never = exercised.filter(({ seen }) => seen === 0);
  const shown = [...never, ...exercised.filter(({ seen }) => seen > 0)].slice(0, MOST_LINES);
  const told = classes.filter(({ checked, found }) => checked > 0 || found > 0);
  return [
    ...(shown.length === 0
      ? []
      : [
          fold(
            `${never.length} of ${plural(exercised.length, 'price line')}, tier edges, rounding ties and paths were never used${
              exercised.length > shown.length ? `; the table has ${shown.length}, result.json all` : ''
            }`,
            [
              table(
                ['line', 'model', 'kind', '#seen'],
                shown.map(({ line, model, kind, seen }) => [line, model ?? ABSENT, kind, String(seen)]),
              ),
            ],
          ),
        ]),
    ...(told.length === 0
      ? []
      : [
          fold(
            'What the audit looked for, and how rare it is at most where none was found (95 % confidence)',
            [
              table(
                ['class', '#rows that could show it', '#found', '#at most'],
                told.map(({ class: name, checked, found, below }) => [
                  name,
                  String(checked),
                  String(found),
                  percent(below),
                ]),
              ),
            ],
          ),
        ]),
  ];
}

const MEASURES: readonly (readonly [keyof LatencyTables, string])[] = [
  ['ttft', 'TTFT'],
  ['ttfo', 'TTFO'],
  ['tpot', 'TPOT'],
  ['itl', 'ITL'],
  ['e2e', 'e2e'],
  ['e2e_planned', 'e2e from plan'],
  ['schedule_lag', 'schedule lag'],
];

/** The times of each kind, and how its tokens came. */
export function latencyBlocks(load: LoadResult): readonly Block[] {
  const groups = [
    ...load.kinds.map(({ kind, latency, streams }) => ({ name: kind, latency, streams })),
    { name: 'total', ...load.total },
  ];
  const rows = groups.flatMap(({ name, latency }) =>
    MEASURES.flatMap(([key, title]) => {
      const figures = latency[key];
      if (figures === null) return [];
      const { count, min, mean, p50, p90, p95, p99, p999, max } = figures;
      return [[name, title, String(count), ...[min, mean, p50, p90, p95, p99, p999, max].map(ms)]];
    }),
  );
  return [
    text(
      'Times are milliseconds of ok calls; schedule lag is of all calls. Percentiles interpolate between two values, those of objectives do not.',
    ),
    table(
      ['kind', 'time', '#calls', '#min', '#mean', '#p50', '#p90', '#p95', '#p99', '#p99.9', '#max'],
      rows,
    ),
    ...streamBlocks(groups),
  ];
}

/** What an inter-token latency means depends on how the tokens were packed. */
function streamBlocks(
  groups: readonly { readonly name: string; readonly streams: StreamFigures | null }[],
): readonly Block[] {
  const rows = groups.flatMap(({ name, streams }) => {
    if (streams === null) return [];
    const { count, tokens_per_event, longest_gap_ms, stalls, stalled, bursts } = streams;
    return [
      [
        name,
        String(count),
        String(tokens_per_event ?? ABSENT),
        ms(longest_gap_ms),
        String(stalls),
        String(stalled),
        percent(bursts / count),
      ],
    ];
  });
  if (rows.length === 0) return [];
  return [
    text('How the tokens arrived'),
    table(
      [
        'kind',
        '#streams',
        '#tokens per event',
        '#longest gap ms',
        '#stalls',
        '#with a stall',
        '#in one burst',
      ],
      rows,
    ),
  ];
}
