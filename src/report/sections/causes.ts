import { causeOf } from '../../contracts/acceptance.ts';
import type { Finding } from '../../contracts/finding.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import { rowFindings } from './row-findings.ts';

/** Findings that one thing explains. */
export interface Cause {
  /** The finding over all of them, else the dearest. */
  readonly head: Finding;
  /** Its rows, the dearest first; the head itself where it is the only one. */
  readonly findings: readonly Finding[];
  readonly rows: number;
  /** USD; null where one of them has bounds only. */
  readonly sum: string | null;
  readonly provisional: number;
}

/** The dearest first, whichever its side; of equal ones the gravest. */
export function causesOf(findings: readonly Finding[]): readonly Cause[] {
  return [...Map.groupBy(findings, causeOf).values()]
    .map((own) => ({ cause: causeFrom(own), size: sizeOf(rowFindings(own)) }))
    .toSorted(
      (left, right) =>
        bySize(left.size, right.size) || compareText(left.cause.head.severity, right.cause.head.severity),
    )
    .map(({ cause }) => cause);
}

function causeFrom(own: readonly Finding[]): Cause {
  const findings = rowFindings(own).toSorted((left, right) => bySize(sizeOf([left]), sizeOf([right])));
  const rows = findings.reduce((sum, each) => sum + each.rows, 0);
  const [dearest] = findings;
  const head =
    own.find(({ rows: about, id }) => about > 1 && own.some(({ group }) => group === id)) ?? dearest;
  if (head === undefined) throw new RangeError('a cause without a finding');
  const provisional = findings.filter((finding) => finding.provisional).length;
  return { head, findings, rows, sum: exactSum(findings), provisional };
}

/** What is certain of it, without its sign. */
function sizeOf(findings: readonly Finding[]): PicoUsd {
  const sum = findings.reduce(
    (total, { delta_exact, delta_min }) => total + (parseAmount(delta_exact ?? delta_min ?? '0') ?? 0n),
    0n,
  );
  return sum < 0n ? -sum : sum;
}

function bySize(left: PicoUsd, right: PicoUsd): number {
  return left === right ? 0 : left > right ? -1 : 1;
}

function exactSum(findings: readonly Finding[]): string | null {
  let sum = 0n;
  for (const { delta_exact } of findings) {
    const delta = delta_exact === null ? null : parseAmount(delta_exact);
    if (delta === null) return null;
    sum += delta;
  }
  return formatAmount(sum);
}
