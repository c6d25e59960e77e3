import type { Finding } from '../../contracts/finding.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import type { FindingGroupView } from '../view/bill-view.ts';

/** Final findings by class, the dearest first, each with the one of the largest amount as its example. */
export function billGroups(findings: readonly Finding[]): readonly FindingGroupView[] {
  const final = findings.filter(({ provisional }) => !provisional);
  return [...Map.groupBy(final, (finding) => finding.class)]
    .map(([name, group]) => groupOf(name, group))
    .sort((left, right) => weightOf(right.sum) - weightOf(left.sum))
    .map(({ view }) => view);
}

function groupOf(name: Finding['class'], group: readonly Finding[]) {
  // A finding over many rows and those that it explains speak of the same money.
  const alone = group.filter((finding) => finding.group === null);
  const amounts = alone.flatMap(({ delta_exact }) => parseAmount(delta_exact) ?? []);
  const sum = amounts.length === 0 ? null : amounts.reduce((total, amount) => total + amount, 0n);
  const [example] = alone.toSorted((left, right) => weightOf(exact(right)) - weightOf(exact(left)));
  const { request_id = null, model = null, explanation = '', next_step = '' } = example ?? group[0] ?? {};
  const view: FindingGroupView = {
    class: name,
    findings: group.length,
    delta_usd: sum === null ? null : formatAmount(sum),
    partly: sum !== null && amounts.length < alone.length,
    example: { request_id, model, explanation, next_step },
  };
  return { view, sum };
}

function exact({ delta_exact }: Finding): bigint | null {
  return parseAmount(delta_exact);
}

/** For an order only: no amount is told by it. */
function weightOf(amount: bigint | null): number {
  return amount === null ? -1 : Math.abs(Number(amount));
}
