import { plural } from '../core/plural.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import { type MoneyResult, WITHOUT_A_LOG } from '../core/result.ts';
import { coverageBlocks, exercisedBlocks } from './coverage-blocks.ts';
import { signedUsd, usd } from './figure-text.ts';
import { matchingBlocks, moneyByBlocks } from './money-by-blocks.ts';
import { openMoneyBlocks } from './open-money-blocks.ts';
import { type Block, type Section, table, text } from './report-document.ts';
import { trialRecords } from './trial-calls.ts';
import { recordWords } from './verdict-words.ts';
import { waterfallSteps } from './waterfall-steps.ts';

/** `retried`: of RunMoney, null where it is not known. */
export function moneySection(reconciliation: Reconciliation, retried: string | null): Section {
  const { money, coverage, calls, matching } = reconciliation;
  const steps = waterfallSteps(reconciliation);
  const blocks: Block[] = [
    ...(steps === null ? [] : [text('From expected to charged'), { type: 'waterfall' as const, steps }]),
    ...coverageBlocks(coverage),
    text('The sums of the bill'),
    amountTable(money, {
      records: recordWords(money, trialRecords(reconciliation)),
      retried,
      untold: (coverage.untold ?? 0) > 0,
    }),
    ...openMoneyBlocks(money),
    ...moneyByBlocks(money),
    ...matchingBlocks(matching),
  ];
  for (const { of, records, amount } of money.known ?? [])
    blocks.push(text(`${plural(records, 'record')} of this key (${usd(amount)}) are of calls of ${of}.`));
  if (money.unattributed !== undefined) {
    blocks.push(
      text(
        `${plural(money.unattributed.records, 'record')} of this key (${usd(money.unattributed.amount)}) belong to no call that the ledger tells of. It is not whole, so whether they are of calls of this run cannot be told.`,
      ),
    );
  }
  if (money.foreign.records > 0) {
    blocks.push(
      text(
        `${plural(money.foreign.records, 'record')} of this key (${usd(money.foreign.amount)}) belong to no call of this run and were not judged. A key of its own for the audit would let every record be judged.`,
      ),
    );
  }
  if (calls.length > 0)
    blocks.push(text('Paid calls and records by judgement'), verdictTable(reconciliation));
  if (coverage.settings.length > 0) {
    blocks.push(
      text('Where the interface is silent, this was assumed'),
      table(
        ['setting', 'value', 'evidence'],
        coverage.settings.map(({ name, value, evidence }) => [name, value, evidence]),
      ),
    );
  }
  blocks.push(...exercisedBlocks(coverage));
  return { id: 'money', title: 'Money', blocks };
}

function amountTable(
  money: MoneyResult,
  {
    records,
    retried,
    untold,
  }: { readonly records: string; readonly retried: string | null; readonly untold: boolean },
): Block {
  const rows: readonly (readonly [string, string, string])[] = [
    ['expected', usd(money.expected), 'what the checked calls should cost by the price book'],
    ['charged', usd(money.charged), `what is charged by ${records}`],
    ['… without an exact expectation', usd(money.charged_inexact), 'charged = expected + difference + this'],
    ['… for attempts that were sent again', usd(retried), 'charged for attempts that another one followed'],
    ['refunded', usd(money.refunded), 'given back'],
    ['pending', usd(money.pending), 'not settled yet'],
    ['difference', signedUsd(money.difference), 'charged − expected, over calls with an exact expectation'],
    ['certain over', usd(money.certain_over), 'Σ max(0, charged − highest possible)'],
    ['certain under', usd(money.certain_under), 'Σ max(0, lowest possible − charged)'],
    [
      'open',
      usd(money.open),
      `total width of the intervals that evidence leaves${untold ? `, and what ${WITHOUT_A_LOG}` : ''}`,
    ],
  ];
  return table(['amount', '#USD', 'meaning'], rows);
}

const VERDICTS = [
  'to_the_digit',
  'within_bounds',
  'finding',
  'not_checkable',
  'provisional',
  'not_charged',
] as const;

function verdictTable({ calls }: Reconciliation): Block {
  const rows = VERDICTS.flatMap((verdict) => {
    const count = calls.filter((call) => call.verdict === verdict).length;
    return count === 0 ? [] : [[verdict, String(count)]];
  });
  return table(['judgement', '#calls'], rows);
}
