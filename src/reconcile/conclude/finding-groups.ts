import type { Finding, FindingGroup } from '../../contracts/finding.ts';
import type { JudgedCall } from '../../contracts/reconciliation.ts';
import { AGING_BUCKETS, type AgingBucket } from '../../contracts/result-money.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { Tolerances } from '../input/reconcile-input.ts';
import { sum } from '../records/sum-amounts.ts';

/**
 * At or above the gate, never provisional, and not already told by the finding over its group. Where the tolerances
 * name classes or an amount, only those classes and what exceeds the amount. An unreadable book leaves no conclusion, so
 * it accuses nobody.
 */
export function gates(finding: Finding, { gate, gate_usd, gate_classes }: Tolerances): boolean {
  return (
    !finding.provisional &&
    finding.group === null &&
    finding.severity <= gate &&
    finding.class !== 'price_book_unreadable' &&
    (gate_classes.length === 0 || gate_classes.includes(finding.class)) &&
    exceeds(finding, parseAmount(gate_usd) ?? 0n)
  );
}

/** Any amount exceeds 0, none at all too; a charge that is wrong by an unknown amount exceeds everything. */
function exceeds({ direction, delta_min, delta_max }: Finding, least: PicoUsd): boolean {
  if (least <= 0n) return true;
  const bounds = [delta_min, delta_max].map((text) => (text === null ? null : parseAmount(text)));
  if (bounds.every((bound) => bound === null)) return direction !== 'none';
  return bounds.some((bound) => bound !== null && (bound > least || -bound > least));
}

export function findingGroups(
  findings: readonly Finding[],
  tolerances: Tolerances,
  accepted: ReadonlySet<string>,
): readonly FindingGroup[] {
  const parents = new Set(findings.map(({ group }) => group));
  const byClass = Map.groupBy(findings, (finding) => `${finding.class} ${finding.severity}`);
  return [...byClass.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    // What a finding over many rows adds up stands beneath it, row by row: counted once.
    const each = group.filter(({ id }) => !parents.has(id));
    const gating = group.filter((finding) => !accepted.has(finding.id) && gates(finding, tolerances)).length;
    const deltas = each.flatMap(({ delta_exact }) =>
      delta_exact === null ? [] : [parseAmount(delta_exact) ?? 0n],
    );
    return [
      {
        class: first.class,
        severity: first.severity,
        count: group.length,
        provisional: group.filter(({ provisional }) => provisional).length,
        delta: deltas.length === each.length ? formatAmount(sum(deltas)) : null,
        gates: gating > 0,
        gating,
        rows: each.reduce((total, { rows }) => total + rows, 0),
        causes: new Set(group.map((finding) => finding.group ?? finding.id)).size,
      },
    ];
  });
}

const MINUTE_MS = 60_000;
/** Upper ends of the buckets but the last. */
const ENDS_MS: readonly number[] = [2 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS];

/**
 * Calls whose charge is still open, by their age at the last read, with what they can come to. `endedMs` gives the end
 * of a call by its id, milliseconds since the epoch.
 */
export function agingBuckets(
  calls: readonly JudgedCall[],
  endedMs: ReadonlyMap<string, number>,
  lastReadMs: number | null,
): readonly AgingBucket[] {
  if (lastReadMs === null) return [];
  const open = calls.filter(({ call_id, verdict }) => call_id !== null && verdict === 'provisional');
  const byBucket = Map.groupBy(open, ({ call_id }) =>
    bucketOf(lastReadMs - (endedMs.get(call_id ?? '') ?? lastReadMs)),
  );
  return AGING_BUCKETS.map((bucket) => {
    const inside = byBucket.get(bucket) ?? [];
    const highs = inside.map(({ expected_hi }) =>
      expected_hi === null ? null : (parseAmount(expected_hi) ?? 0n),
    );
    const known = highs.filter((high) => high !== null);
    const lows = inside.map(({ expected_lo }) =>
      expected_lo === null ? 0n : (parseAmount(expected_lo) ?? 0n),
    );
    return {
      bucket,
      calls: inside.length,
      lo: formatAmount(lows.reduce((sum, low) => sum + low, 0n)),
      hi: known.length < highs.length ? null : formatAmount(known.reduce((sum, high) => sum + high, 0n)),
    };
  });
}

function bucketOf(ageMs: number): (typeof AGING_BUCKETS)[number] {
  const index = ENDS_MS.findIndex((end) => ageMs < end);
  return AGING_BUCKETS[index === -1 ? AGING_BUCKETS.length - 1 : index] ?? AGING_BUCKETS[0];
}
