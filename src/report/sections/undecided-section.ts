import { WITHOUT_A_LOG } from '../../contracts/coverage-result.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import type { Result } from '../../contracts/result.ts';
import { plural } from '../../text/plural.ts';
import { ABSENT, percent, usd } from '../words/figure-text.ts';
import { type Section, table, text } from './report-document.ts';

type Row = readonly [what: string, why: string, size: string, settles: string];

/** What the run leaves open, why, how much it is, and what would settle it. */
export function undecidedSection(result: Result): Section {
  const rows = [
    ...inconclusiveRows(result),
    ...uncheckedRows(result),
    ...openRows(result),
    ...unreadRows(result),
    ...unexercisedRows(result),
  ];
  const title = 'What could not be decided';
  if (rows.length === 0) {
    return { id: 'undecided', title, blocks: [text('Nothing: all that was asked has an answer.')] };
  }
  return {
    id: 'undecided',
    title,
    blocks: [table(['what', 'why', '#how much', 'what settles it'], rows)],
  };
}

function inconclusiveRows({ exit_codes }: Result): readonly Row[] {
  return exit_codes
    .filter(({ code }) => code === EXIT.inconclusive)
    .map(({ why }) => ['a verdict', why, ABSENT, 'a run without this']);
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
        : 'prices or rules for them: a book of your own, or billing.agreed',
    ],
  );
  const bounds = coverage.within_bounds ?? 0;
  const within: readonly Row[] =
    bounds === 0
      ? []
      : [
          [
            'charges to the digit',
            'the evidence gives an interval, and they lie in it',
            `${percent(bounds)} of charged USD`,
            'an exact rule in place of the interval: rounding, or tokens that the client sees',
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
        `${usd(lo)} to ${usd(hi)}`,
        'another read, later',
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
            'they belong to no call that the ledger tells of, and it is not whole',
            usd(money.unattributed.amount),
            'the rows and files that it lacks',
          ] as const,
        ]),
    ...(money.foreign.records === 0
      ? []
      : [
          [
            plural(money.foreign.records, 'record'),
            'they belong to no call of this run, on a key that others use',
            usd(money.foreign.amount),
            'a key of its own',
          ] as const,
        ]),
  ];
}

function unreadRows({ completeness }: Result): readonly Row[] {
  return (completeness?.reasons ?? []).map((why) => ['whether all was read', why, ABSENT, 'a whole read']);
}

function unexercisedRows({ coverage }: Result): readonly Row[] {
  const exercised = coverage?.exercised ?? [];
  const never = exercised.filter(({ seen }) => seen === 0).length;
  if (never === 0) return [];
  return [
    [
      'prices and paths that no call went over',
      'a fault in them would not have shown',
      `${never} of ${exercised.length}`,
      'calls that use them',
    ],
  ];
}
