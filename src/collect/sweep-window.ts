import type { ReadFailure } from '../client/read-result.ts';
import { LEAF_FIGURES, type LeafFigure, type ReadLeaf, type UsageWindow } from '../contracts/usage-lines.ts';
import { bisectTotals } from './bisect-totals.ts';
import { figureText } from './compare-leaf.ts';
import type { GlancedRecord } from './page-oddities.ts';
import { type Pass, proofOf, readPass, sameProof, walkPart } from './read-pass.ts';
import { type PartSums, sumsOfParts, type WalkLines } from './record-sums.ts';
import type { SweepContext } from './sweep-context.ts';
import type { WalkProof } from './walk-proof.ts';

/** What one window of a sweep came to. */
export interface WindowOutcome {
  readonly complete: boolean;
  readonly reasons: readonly string[];
  readonly records: number;
  readonly pages: number;
  readonly totalsRecords: number | null;
  readonly failure: ReadFailure | null;
  /** The pass whose records count. */
  readonly judgedPass: number;
  readonly leaves: readonly ReadLeaf[];
  readonly samples: readonly GlancedRecord[];
  readonly atStart: number;
  readonly atLast: number;
}

/** Walks over one window: a proof takes two that agree, and gives up after three. */
const MOST_PASSES = { proof: 3, reading: 2 } as const;

/**
 * Reads a window until two walks agree, where that is to be proved, or where one walk and its totals count differently;
 * the last walk stands. A walk of an earlier sweep counts as one of the two.
 */
export async function sweepWindow(
  context: SweepContext,
  window: UsageWindow,
  prove: boolean,
): Promise<WindowOutcome> {
  const { store, state, hazards } = context;
  const name = `${window.start}-${window.end}`;
  const most = prove ? MOST_PASSES.proof : MOST_PASSES.reading;
  let judged = await readPass(context, window, false);
  let { pages } = judged.walk;
  const totals = new Set([proofOf(judged)?.totals]);
  const broken: string[] = [];
  let agreed = sameProof(state.walks.get(name) ?? null, proofOf(judged));
  for (let walks = 1; walks < most && !agreed && isWorthAnother(judged, prove); walks += 1) {
    const next = await readPass(context, window, true);
    const proof = proofOf(next);
    pages += next.walk.pages;
    totals.add(proof?.totals);
    agreed = sameProof(proofOf(judged), proof);
    if (agreed || proof === null) {
      // The same again, or a walk that broke off: what stands, stands.
      store.drop(walkPart(next.number));
      if (agreed) continue;
      broken.push(...next.walk.reasons, ...next.reasons);
      break;
    }
    noteMovement(context, judged, next);
    store.adopt(walkPart(next.number));
    judged = next;
  }
  const { walk } = judged;
  const { records } = walk;
  const proof: WalkProof | null = proofOf(judged);
  if (proof !== null) state.walks.set(name, proof);
  if (judged.totals !== null && context.client.totals !== 'counts')
    store.totals(window, judged.totals.body, judged.totals.readAt, judged.totals.answerId);
  const told = judged.totals?.figures.records ?? null;
  const reasons = [...walk.reasons, ...judged.reasons, ...broken];
  if (walk.complete && judged.totals !== null && told !== BigInt(records)) {
    hazards.met('edge_ties', judged.totals.answerId);
    reasons.push(
      `totals_count_differs: ${window.start}–${window.end}: ${records} records, totals say ${told ?? 'nothing readable'}`,
    );
  }
  const leaves = prove
    ? await windowLeaves(context, { window, judged, agreed, totalsStood: totals.size === 1 })
    : [];
  return {
    complete: walk.complete && judged.totals !== null,
    reasons,
    records,
    pages,
    totalsRecords: told === null ? null : Number(told),
    failure: walk.failure ?? judged.failure,
    judgedPass: judged.number,
    leaves,
    samples: walk.samples,
    atStart: walk.atStart,
    atLast: walk.atLast,
  };
}

/** A walk that a hazard or a failed read has stopped would only be stopped again. */
function isWorthAnother(pass: Pass, prove: boolean): boolean {
  const { walk, totals } = pass;
  if (!walk.complete || totals === null) return false;
  return prove || walk.repeats > 0 || totals.figures.records !== BigInt(walk.records);
}

function noteMovement({ hazards }: SweepContext, before: Pass, after: Pass): void {
  const [id] = after.walk.answers;
  const grew = after.walk.records > before.walk.records;
  hazards.met(grew ? 'insert_behind_cursor' : 'moving_records', id ?? null);
}

interface LeavesRequest {
  readonly window: UsageWindow;
  readonly judged: Pass;
  /** Two walks served the same. */
  readonly agreed: boolean;
  /** All walks of the window came with the same totals, so that what differs is not a record that has just come. */
  readonly totalsStood: boolean;
}

/** The parts of a window that are proved to be read whole, and those in which totals and records disagree. */
async function windowLeaves(context: SweepContext, request: LeavesRequest): Promise<readonly ReadLeaf[]> {
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
