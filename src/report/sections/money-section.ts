import { WITHOUT_A_LOG } from '../../contracts/coverage-result.ts';
import { TITLE_OF } from '../../contracts/fault-class.ts';
import { JUDGEMENTS, type Reconciliation } from '../../contracts/reconciliation.ts';
import type { MoneyResult, SuspenseSum } from '../../contracts/result-money.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { plural } from '../../text/plural.ts';
import { ABSENT, signedUsd, usd } from '../words/figure-text.ts';
import { trialRecords } from '../words/trial-calls.ts';
import { recordWords } from '../words/verdict-words.ts';
import { coverageBlocks, exercisedBlocks, matchingBlocks, moneyByBlocks } from './money-by-blocks.ts';
import { type Block, type Section, table, text, type WaterfallStep } from './report-document.ts';
import { differenceFindings } from './row-findings.ts';

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
        `${plural(money.unattributed.records, 'record')} of this key (${usd(money.unattributed.amount)}) belong to no call that the ledger tells of. The ledger is incomplete, so the audit cannot tell whether they are of calls of this run.`,
      ),
    );
  }
  if (money.foreign.records > 0) {
    blocks.push(
      text(
        `${plural(money.foreign.records, 'record')} of this key (${usd(money.foreign.amount)}) belong to no call of this run and were not judged. Give the audit a key of its own, and every record is judged.`,
      ),
    );
  }
  if (calls.length > 0) blocks.push(text('Paid calls and records by verdict'), verdictTable(reconciliation));
  const notes = coverage.settings.filter(({ basis }) => basis === null);
  if (notes.length > 0) {
    blocks.push(
      text('Other settings behind the sums'),
      table(
        ['setting', 'value', 'evidence'],
        notes.map(({ name, value, evidence }) => [name, value, evidence]),
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
    ['expected', usd(money.expected), 'what the calls should cost, where the right charge is one figure'],
    [
      'charged',
      usd(money.charged),
      `what is charged by ${records}: expected + difference + what can't be told`,
    ],
    ['… for attempts that were sent again', usd(retried), 'charged for attempts that the client repeated'],
    ['refunded', usd(money.refunded), 'given back'],
    ['pending', usd(money.pending), 'not settled yet'],
    ['difference', signedUsd(money.difference), 'certain over − certain under'],
    ['certain over', usd(money.certain_over), 'Σ max(0, charged − highest possible)'],
    ['certain under', usd(money.certain_under), 'Σ max(0, lowest possible − charged)'],
    [
      "can't be told",
      usd(money.open),
      `charged, and perhaps due: the evidence leaves an interval${untold ? `, or it ${WITHOUT_A_LOG}` : ''}`,
    ],
  ];
  return table(['amount', '#USD', 'meaning'], rows);
}

function verdictTable({ calls }: Reconciliation): Block {
  const rows = JUDGEMENTS.flatMap((verdict) => {
    const count = calls.filter((call) => call.verdict === verdict).length;
    return count === 0 ? [] : [[verdict, String(count)]];
  });
  return table(['verdict', '#calls'], rows);
}

/** Charges that are still awaited, by age, and the account of those that earlier runs left open. */
export function openMoneyBlocks({ aging, suspense }: MoneyResult): readonly Block[] {
  const waiting = aging.filter(({ calls }) => calls > 0);
  const account = suspense === null || isEmpty(suspense) ? null : suspense;
  return [
    ...(waiting.length === 0
      ? []
      : [
          text('Charges not settled yet, by their age at the last read'),
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

/**
 * From what the bill should be to what it is: expected + what each class of findings adds + what no finding names +
 * what can't be told = charged. Null where one of the sums is not known.
 */
export function waterfallSteps({ money, findings }: Reconciliation): readonly WaterfallStep[] | null {
  const [expected, charged, difference] = [money.expected, money.charged, money.difference].map(parseAmount);
  if (expected == null || charged == null || difference == null) return null;
  const byClass = new Map<string, PicoUsd>();
  for (const { delta_exact, class: name } of differenceFindings(findings)) {
    const delta = parseAmount(delta_exact) ?? 0n;
    byClass.set(TITLE_OF[name], (byClass.get(TITLE_OF[name]) ?? 0n) + delta);
  }
  const explained = [...byClass.values()].reduce((sum, delta) => sum + delta, 0n);
  const rest = difference - explained;
  const changes: readonly (readonly [string, PicoUsd])[] = [
    ...[...byClass].toSorted(([, left], [, right]) => bySize(left, right)),
    ['no finding names it', rest],
    ["can't be told", charged - expected - difference],
  ];
  return [
    { label: 'expected', role: 'sum', amount: formatAmount(expected) },
    ...changes
      .filter(([, amount]) => amount !== 0n)
      .map(([label, amount]) => ({ label, role: 'change' as const, amount: formatAmount(amount) })),
    { label: 'charged', role: 'sum', amount: formatAmount(charged) },
  ];
}

/** The largest first, whichever its side. */
function bySize(left: PicoUsd, right: PicoUsd): number {
  const [one, other] = [left, right].map((value) => (value < 0n ? -value : value));
  return one === other ? 0 : (one ?? 0n) > (other ?? 0n) ? -1 : 1;
}
