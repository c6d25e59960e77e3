import type { ReadFailure } from '../client/read-result.ts';
import type { UsageWindow } from '../contracts/usage-lines.ts';
import { type ReadTotals, readTotals } from './read-totals.ts';
import type { SweepContext } from './sweep-context.ts';
import { type PageWalk, walkPages } from './walk-pages.ts';
import type { WalkProof } from './walk-proof.ts';

/** One walk over a window and its totals. */
export interface Pass {
  readonly number: number;
  readonly walk: PageWalk;
  readonly totals: ReadTotals | null;
  readonly reasons: readonly string[];
  readonly failure: ReadFailure | null;
}

/** Records go to the run folder as they are read, or apart until another walk tells what they are worth. */
export async function readPass(context: SweepContext, window: UsageWindow, apart: boolean): Promise<Pass> {
  const { store } = context;
  const number = context.nextPass();
  const walk = await walkPages(context, {
    query: { window },
    read: 'records',
    purpose: 'sweep',
    pass: number,
    sink({ readAt, currency, page, fresh }) {
      const note = { read_at: readAt, by_request_id: false, pass: number, read: page, currency };
      store.records(note, fresh, apart ? walkPart(number) : null);
    },
  });
  const totals = await readTotals(context, { window }, 'sweep', number);
  return 'failure' in totals
    ? { number, walk, totals: null, reasons: [totals.reason], failure: totals.failure }
    : { number, walk, totals, reasons: [], failure: null };
}

export function walkPart(pass: number): string {
  return `walk-${pass}`;
}

/** Null where the pass proves nothing by itself. */
export function proofOf({ walk, totals }: Pass): WalkProof | null {
  if (!walk.complete || totals === null) return null;
  const { records, settled, pending, refunded } = totals.figures;
  return {
    records: walk.digest,
    repeats: walk.repeatDigest,
    totals: [records, settled, pending, refunded].map(String).join(' '),
  };
}

/** Two walks with the same content, and the same totals beside them. */
export function sameProof(left: WalkProof | null, right: WalkProof | null): boolean {
  return (
    left !== null &&
    right !== null &&
    left.records === right.records &&
    left.repeats === right.repeats &&
    left.totals === right.totals
  );
}
