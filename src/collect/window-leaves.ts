import { LEAF_FIGURES, type LeafFigure, type ReadLeaf, type UsageWindow } from '../contracts/usage-lines.ts';
import { bisectTotals } from './bisect-totals.ts';
import { figureText } from './compare-leaf.ts';
import type { Pass } from './read-pass.ts';
import { type PartSums, sumsOfParts, type WalkLines } from './record-sums.ts';
import type { SweepContext } from './sweep-context.ts';

export interface LeavesRequest {
  readonly window: UsageWindow;
  readonly judged: Pass;
  /** Two walks served the same. */
  readonly agreed: boolean;
  /** All walks of the window came with the same totals, so that what differs is not a record that has just come. */
  readonly totalsStood: boolean;
}

/** The parts of a window that are proved to be read whole, and those in which totals and records disagree. */
export async function windowLeaves(
  context: SweepContext,
  request: LeavesRequest,
): Promise<readonly ReadLeaf[]> {
  const { window, judged, agreed } = request;
  const { walk, totals } = judged;
  const { start, end } = window;
  const reads = [...walk.answers.slice(0, 9), ...(totals?.answerId == null ? [] : [totals.answerId])];
  const whole = (stable: boolean): ReadLeaf => ({
    start,
    end,
    model: null,
    figure: 'records',
    totals: figureText('records', totals?.figures.records ?? null),
    records: String(walk.records),
    served: null,
    by_page_size: false,
    stable,
    reads,
  });
  if (!walk.complete || totals === null) return [whole(false)];
  const lines = { path: context.store.recordsPath, sweep: context.store.sweep, pass: judged.number };
  const counted = totals.figures.records;
  if (counted === null) return [whole(false)];
  if (counted !== BigInt(walk.records)) {
    if (!agreed && !request.totalsStood) return [whole(false)];
    return bisectTotals(context, {
      window,
      lines,
      figure: 'records',
      reading: 0,
      totals: counted,
      stable: agreed,
    });
  }
  return [whole(agreed), ...(await wrongSums(context, request, lines))];
}

/** The leaf of the first sum that no way of forming it explains; the counts agree. */
async function wrongSums(
  context: SweepContext,
  { window, judged, agreed }: LeavesRequest,
  lines: WalkLines,
): Promise<readonly ReadLeaf[]> {
  if (!agreed) return [];
  const [sums] = await sumsOfParts(lines, [window]);
  const figures = judged.totals?.figures;
  if (sums === undefined || figures === undefined) return [];
  for (const figure of LEAF_FIGURES) {
    const told: bigint | null = figures[figure];
    const reading = told === null ? null : nearest(sums, figure, told);
    if (told === null || reading === null || sums[figure][reading] === told) continue;
    const leaves = await bisectTotals(context, {
      window,
      lines,
      figure,
      reading,
      totals: told,
      stable: agreed,
    });
    return leaves.filter(({ totals, records, served }) => served !== null && totals !== records);
  }
  return [];
}

/** The way to form a sum that comes nearest to what is told; null where none can be formed. */
function nearest(sums: PartSums, figure: LeafFigure, told: bigint): number | null {
  const known = sums[figure].flatMap((sum, reading) =>
    sum === null ? [] : [{ reading, off: sum > told ? sum - told : told - sum }],
  );
  const [first] = known.toSorted((left, right) => (left.off < right.off ? -1 : left.off > right.off ? 1 : 0));
  return first?.reading ?? null;
}
