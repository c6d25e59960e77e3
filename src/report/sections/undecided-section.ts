import { WITHOUT_A_LOG } from '../../contracts/coverage-result.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import type { Result } from '../../contracts/result.ts';
import { plural } from '../../text/plural.ts';
import { ABSENT, percent, usd, usdBounds } from '../words/figure-text.ts';
import { type Section, table, text } from './report-document.ts';

type Row = readonly [what: string, why: string, size: string, settles: string];

/** What the run leaves open, why, how much it is, and what would settle it. */
export function undecidedSection(result: Result): Section {
  const rows = undecidedRows(result);
  return {
    id: 'undecided',
    title: 'What could not be decided',
    blocks:
      rows.length === 0
        ? [text('Nothing is open: every question has an answer.')]
        : [table(['what', 'why', '#how much', 'what settles it'], rows)],
  };
}

export function undecidedRows(result: Result): readonly Row[] {
  return [
    ...inconclusiveRows(result),
    ...uncheckedRows(result),
    ...openRows(result),
    ...unreadRows(result),
    ...unexercisedRows(result),
  ];
}

function inconclusiveRows({ exit_codes }: Result): readonly Row[] {
  return exit_codes
    .filter(({ code }) => code === EXIT.inconclusive)
    .map(({ why }) => ['the verdict', why, ABSENT, 'another run, once the cause is gone']);
}

function uncheckedRows({ coverage }: Result): readonly Row[] {
  if (coverage === null) return [];
  const unchecked = coverage.not_checkable_why.map(
    ({ why, share, calls }): Row => [
      `the charge of ${plural(calls, 'call')}`,
      why,
      `${percent(share)} of charged USD`,
      why.startsWith(WITHOUT_A_LOG)
        ? 'a log of your calls, given as --ledger'
        : 'prices or rules for them: give a price list of your own, or set billing.agreed',
    ],
  );
  const bounds = coverage.within_bounds ?? 0;
  const within: readonly Row[] =
    bounds === 0
      ? []
      : [
          [
            'the last digits of charges',
            'the evidence gives an interval, and the charges lie in it',
            `${percent(bounds)} of charged USD`,
            'an exact rule instead of the interval: how charges are rounded, or tokens that the client sees',
          ],
        ];
  return [...unchecked, ...within];
}

function openRows({ coverage, money }: Result): readonly Row[] {
  if (money === null) return [];
  const until = coverage?.provisional_until ?? null;
  const waiting = money.aging.filter(({ calls }) => calls > 0);
  return [
    ...waiting.map(
      ({ bucket, calls, lo, hi }): Row => [
        `the charge of ${plural(calls, 'call')}`,
        `not settled ${bucket} after the call`,
        lo === hi ? usd(lo) : usdBounds(lo, hi),
        'reading the usage records again later',
      ],
    ),
    ...(until === null
      ? []
      : [
          [
            'provisional findings',
            'their deadline has not passed',
            percent(coverage?.provisional ?? null),
            `a read after ${until}`,
          ] as const,
        ]),
    ...(money.unattributed === undefined
      ? []
      : [
          [
            plural(money.unattributed.records, 'record'),
            'they belong to no call in the ledger, and the ledger is incomplete',
            usd(money.unattributed.amount),
            'the missing rows and files of the ledger',
          ] as const,
        ]),
    ...(money.foreign.records === 0
      ? []
      : [
          [
            plural(money.foreign.records, 'record'),
            'others use this key, and the records belong to no call of this run',
            usd(money.foreign.amount),
            'a key that nobody else uses',
          ] as const,
        ]),
  ];
}

function unreadRows({ completeness }: Result): readonly Row[] {
  return (completeness?.reasons ?? []).map((why) => [
    'whether all records were read',
    why,
    ABSENT,
    'a complete read',
  ]);
}

function unexercisedRows({ coverage }: Result): readonly Row[] {
  const exercised = coverage?.exercised ?? [];
  const never = exercised.filter(({ seen }) => seen === 0).length;
  if (never === 0) return [];
  return [
    [
      'prices and paths that no call used',
      'a fault in them would not show',
      `${never} of ${exercised.length}`,
      'calls that use them',
    ],
  ];
}
