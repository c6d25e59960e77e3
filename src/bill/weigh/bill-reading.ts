import type { BillSpan } from '../read/bill.ts';
import type { BilledBucket, BillGroup } from './bill-groups.ts';
import type { BillZone } from './bill-zone.ts';
import {
  type BucketEdge,
  explainSums,
  type HowOftenLate,
  type LeftOver,
  type SumsExplained,
} from './explain-sums.ts';
import type { SumBounds } from './span-sum.ts';

type BillRounding = 'nearest' | 'down' | 'up' | 'any';

/** By what a bill is read: which days are meant, how late a charge may come, and how amounts are rounded. */
export interface BillReading {
  readonly zone: BillZone;
  readonly late_s: number;
  readonly rounding: BillRounding;
  readonly often: HowOftenLate;
}

/** What every reading of one bill shares. */
export interface ReadingTerms {
  /** In units of the scale; 0 for tokens. */
  readonly quantum: bigint;
  /** In which every charge is known, seconds UTC; null: always. */
  readonly covered: BillSpan | null;
  /** The most by which a charge may be late. */
  readonly most_late_s: number;
}

/** Buckets side by side, with what the reading makes of them. */
export interface ReadRun {
  readonly group: BillGroup;
  readonly buckets: readonly BilledBucket[];
  readonly begun: readonly SumBounds[];
  readonly explained: SumsExplained;
}

/** Reads the buckets of all models; null where that costs more than `most`. */
export function readBuckets(
  groups: readonly BillGroup[],
  reading: BillReading,
  terms: ReadingTerms,
  most: number = Number.POSITIVE_INFINITY,
): { readonly cost: number; readonly errors: number; readonly runs: readonly ReadRun[] } | null {
  let cost = 0;
  let errors = 0;
  const runs: ReadRun[] = [];
  for (const group of groups) {
    for (const buckets of runsOf(group.buckets)) {
      const run = readRun(group, buckets, reading, terms, most - cost);
      if (run === null) return null;
      cost += run.explained.cost;
      errors += run.explained.errors.length;
      runs.push(run);
    }
  }
  return { cost, errors, runs };
}

function readRun(
  group: BillGroup,
  buckets: readonly BilledBucket[],
  reading: BillReading,
  terms: ReadingTerms,
  most: number,
): ReadRun | null {
  const { zone, late_s, often } = reading;
  const { sums } = group;
  const moments = [...buckets.map(({ start }) => zone.utc(start)), zone.utc(buckets.at(-1)?.end ?? 0)];
  const begun: SumBounds[] = [];
  const left: LeftOver[] = [];
  for (const [index, bucket] of buckets.entries()) {
    const [start, end] = [moments[index] ?? 0, moments[index + 1] ?? 0];
    const own = sums.begun(start, end);
    const known = isCovered(start, end, terms) ? own : { lo: own.lo, hi: null };
    begun.push(known);
    const { down, up } = slackOf(bucket, sums.count(start, end), reading.rounding, terms);
    left.push({
      lo: known.lo - bucket.billed - down,
      hi: known.hi === null ? null : known.hi - bucket.billed + up,
    });
  }
  const edges = moments.map((moment): BucketEdge => {
    return { spanning: sums.carried(moment, 0), late: sums.carried(moment, late_s) };
  });
  const [first, ...others] = edges;
  // Of charges before all that is known, as much may come late as of those that are.
  if (first !== undefined && late_s > 0 && !isCovered((moments[0] ?? 0) - late_s, moments[0] ?? 0, terms))
    edges[0] = { ...first, late: others.reduce((most, { late }) => wider(most, late), first.late) };
  const explained = explainSums(left, edges, often, most);
  return explained === null ? null : { group, buckets, begun, explained };
}

function wider(one: SumBounds, other: SumBounds): SumBounds {
  const hi = one.hi === null || other.hi === null ? null : one.hi > other.hi ? one.hi : other.hi;
  return { lo: one.lo < other.lo ? one.lo : other.lo, hi };
}

function isCovered(start: number, end: number, { covered }: ReadingTerms): boolean {
  return covered === null || (start >= covered.start && end <= covered.end);
}

/** By how much less (`down`) or more (`up`) than what is billed may be due: rounding, and the noise of doubles. */
function slackOf(
  { billed, lines }: BilledBucket,
  charges: number,
  rounding: BillRounding,
  { quantum }: ReadingTerms,
): { readonly down: bigint; readonly up: bigint } {
  if (quantum === 0n) return { down: 0n, up: 0n };
  const all = quantum * BigInt(Math.max(1, lines));
  const noise = ((billed < 0n ? -billed : billed) * BigInt(charges + lines)) >> 53n;
  const half = all / 2n;
  const [down, up] = { nearest: [half, half], down: [all, 0n], up: [0n, all], any: [all, all] }[rounding];
  return { down: (down ?? 0n) + noise, up: (up ?? 0n) + noise };
}

function runsOf(buckets: readonly BilledBucket[]): readonly (readonly BilledBucket[])[] {
  const runs: BilledBucket[][] = [];
  for (const bucket of buckets) {
    const run = runs.at(-1);
    if (run?.at(-1)?.end === bucket.start) run.push(bucket);
    else runs.push([bucket]);
  }
  return runs;
}
