import { addBounds, gapBelow, holdsBounds, meetBounds, type SumBounds } from './span-sum.ts';

/** A bucket: what is begun in it and not billed in it, within bounds; negative where more is billed. */
export type LeftOver = SumBounds;

/** The end of a bucket: what may pass over it, of charges that span it, and of those that are late. */
export interface BucketEdge {
  readonly spanning: SumBounds;
  readonly late: SumBounds;
}

/** A bucket that no lateness explains; `over` is negative where too little is billed. At least so much. */
interface BucketError {
  readonly bucket: number;
  readonly over: bigint;
}

/** The cheapest explanation of a row of buckets. */
export interface SumsExplained {
  readonly cost: number;
  readonly errors: readonly BucketError[];
  /** Edges over which late charges pass; 0 is before the first bucket. */
  readonly late: readonly number[];
}

/**
 * Where charges are rarely late, one error explains as much as two late edges: what would have to pass over many edges is
 * an error. Where they commonly are, lateness costs nothing, and an error is what it cannot explain.
 */
const LATE_COST = { rarely: 2, commonly: 0 } as const;
export type HowOftenLate = keyof typeof LATE_COST;
const ERROR_COST = 3;
/** States that differ in what passes over an edge; cheaper ones first. */
const MOST_STATES = 16;

interface State {
  readonly passing: SumBounds;
  readonly cost: number;
  readonly before: State | null;
  readonly error: BucketError | null;
  readonly isLate: boolean;
}

/**
 * Tells which buckets of one model are wrong. What is begun in a bucket is billed in it or passes on: what passes over
 * an edge is bounded by the charges near it, so that money is neither lost nor made. Of all explanations the one with the
 * fewest errors and late edges counts. `edges` has one more than `left`. Null where it costs more than `most`.
 */
export function explainSums(
  left: readonly LeftOver[],
  edges: readonly BucketEdge[],
  often: HowOftenLate,
  most: number = Number.POSITIVE_INFINITY,
): SumsExplained | null {
  const lateCost = LATE_COST[often];
  let states: readonly State[] = edges.slice(0, 1).flatMap((edge) => startsAt(edge, lateCost));
  for (const [bucket, rest] of left.entries()) {
    const edge = edges[bucket + 1];
    if (edge === undefined) throw new RangeError('explainSums: each bucket has an end');
    states = worthKeeping(states.flatMap((state) => after(state, bucket, rest, edge, lateCost)));
    if ((states[0]?.cost ?? 0) > most) return null;
  }
  const [best] = states;
  if (best === undefined) return { cost: 0, errors: [], late: [] };
  const errors: BucketError[] = [];
  const late: number[] = [];
  let edge = left.length;
  for (let state: State | null = best; state !== null; state = state.before, edge -= 1) {
    if (state.error !== null) errors.unshift(state.error);
    if (state.isLate) late.unshift(edge);
  }
  return { cost: best.cost, errors, late };
}

function startsAt({ spanning, late }: BucketEdge, lateCost: number): readonly State[] {
  const start = { before: null, error: null };
  const clean = { ...start, passing: spanning, cost: 0, isLate: false };
  return holdsBounds(spanning, late)
    ? [clean]
    : [clean, { ...start, passing: late, cost: lateCost, isLate: true }];
}

function after(
  state: State,
  bucket: number,
  rest: LeftOver,
  edge: BucketEdge,
  lateCost: number,
): readonly State[] {
  const passing = addBounds(state.passing, rest);
  const on = (allowed: SumBounds, isLate: boolean): State => {
    const cost = state.cost + (isLate ? lateCost : 0);
    const met = meetBounds(passing, allowed);
    if (met !== null) return { passing: met, cost, before: state, error: null, isLate };
    const error = { bucket, over: gapBelow(passing, allowed) };
    // An error that leaves charges to pass on explains no more than two errors.
    const again = isLate && lateCost > 0 ? ERROR_COST - lateCost : 0;
    return { passing: allowed, cost: cost + ERROR_COST + again, before: state, error, isLate };
  };
  const clean = on(edge.spanning, false);
  return holdsBounds(edge.spanning, edge.late) ? [clean] : [clean, on(edge.late, true)];
}

/** The cheapest first; none that a cheaper one does the work of. */
function worthKeeping(states: readonly State[]): readonly State[] {
  const sorted = states.toSorted((left, right) => left.cost - right.cost);
  const least = sorted[0]?.cost ?? 0;
  const kept: State[] = [];
  for (const state of sorted) {
    // From the cheapest state an error leads to all that this one allows.
    if (state.cost >= least + 2 * ERROR_COST || kept.length >= MOST_STATES) break;
    if (!kept.some(({ passing }) => holdsBounds(passing, state.passing))) kept.push(state);
  }
  return kept;
}
