import { formatAmount, type PicoUsd, parseAmount } from '../core/amount.ts';
import { TITLE_OF } from '../core/fault-class.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import { rowFindings } from './classes-section.ts';
import type { WaterfallStep } from './report-document.ts';

/**
 * From what the bill should be to what it is: expected + what each class of findings adds + what no finding names +
 * what has no exact expectation = charged. Null where one of the sums is not known.
 */
export function waterfallSteps({ money, findings }: Reconciliation): readonly WaterfallStep[] | null {
  const [expected, charged, difference] = [money.expected, money.charged, money.difference].map(amountOf);
  if (expected == null || charged == null || difference == null) return null;
  const byClass = new Map<string, PicoUsd>();
  for (const { bridge, provisional, delta_exact, class: name } of rowFindings(findings)) {
    const delta = amountOf(delta_exact);
    if (provisional || delta === null || (bridge !== 'settled' && bridge !== 'absent')) continue;
    byClass.set(TITLE_OF[name], (byClass.get(TITLE_OF[name]) ?? 0n) + delta);
  }
  const explained = [...byClass.values()].reduce((sum, delta) => sum + delta, 0n);
  const rest = difference - explained;
  const inexact = charged - expected - difference;
  const changes: readonly (readonly [string, PicoUsd])[] = [
    ...[...byClass].toSorted(([, left], [, right]) => bySize(left, right)),
    ['no finding names it', rest],
    ['without an exact expectation', inexact],
  ];
  return [
    { label: 'expected', role: 'sum', amount: formatAmount(expected) },
    ...changes
      .filter(([, amount]) => amount !== 0n)
      .map(([label, amount]) => ({ label, role: 'change' as const, amount: formatAmount(amount) })),
    { label: 'charged', role: 'sum', amount: formatAmount(charged) },
  ];
}

function amountOf(text: string | null | undefined): PicoUsd | null {
  return text == null ? null : parseAmount(text);
}

/** The largest first, whichever its side. */
function bySize(left: PicoUsd, right: PicoUsd): number {
  const [one, other] = [left, right].map((value) => (value < 0n ? -value : value));
  return one === other ? 0 : (one ?? 0n) > (other ?? 0n) ? -1 : 1;
}
