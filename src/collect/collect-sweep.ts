import type { GatewayClient } from '../client/gateway-client.ts';
import type { ReadFailure } from '../client/read-result.ts';
import type { UsageWindow } from '../contracts/usage-lines.ts';
import { PageSize } from './page-size.ts';
import { probeReads, probeSeam, usageWindows } from './read-pass.ts';
import { type ReaderState, readerState } from './reader-state.ts';
import { type SweepContext, sweepContext } from './sweep-context.ts';
import { sweepWindow, type WindowOutcome } from './sweep-window.ts';
import { type SecondsNow, UsageStore, wallSeconds } from './usage-store.ts';

export interface SweepRequest {
  readonly client: GatewayClient;
  /** The run folder. */
  readonly dir: string;
  /** Fixed by the caller: a moving end would let records slip between pages. */
  readonly window: UsageWindow;
  readonly sweep: number;
  /** True: read until two walks agree, compare totals down to the second, and probe edges and filters. */
  readonly prove?: boolean | undefined;
  /** What earlier sweeps with this key have learnt. */
  readonly state?: ReaderState | undefined;
  /** Page size to ask for; learnt when left out. */
  readonly limit?: number | undefined;
  /** Whose key it is, where a folder holds reads of several. */
  readonly keyFp?: string | undefined;
  readonly secondsNow?: SecondsNow | undefined;
}

export interface SweepOutcome {
  /** Every window was read to its last page, its totals too, and no hazard was met. */
  readonly complete: boolean;
  /** Two walks of every window agreed, and so did the totals: nothing can be missing from what was read. */
  readonly proved: boolean;
  readonly reasons: readonly string[];
  readonly records: number;
  /** Pages of the period read, further walks included. */
  readonly pages: number;
  /** Sum over the windows; null where one could not be read. */
  readonly totalsRecords: number | null;
  /** The first read that failed. */
  readonly failure: ReadFailure | null;
}

/** Reads all records and the totals of a period and writes them to the run folder, page by page. */
export async function collectSweep(request: SweepRequest): Promise<SweepOutcome> {
  const { client, dir, sweep, prove = false } = request;
  const store = new UsageStore(dir, sweep, request.secondsNow ?? wallSeconds, request.keyFp);
  const learnt =
    request.state ?? readerState(request.limit === undefined ? {} : { size: new PageSize(request.limit) });
  const context = sweepContext({ client, store, state: learnt });
  try {
    return await sweepPeriod(context, request.window, prove);
  } finally {
    store.close();
  }
}

async function sweepPeriod(
  context: SweepContext,
  window: UsageWindow,
  prove: boolean,
): Promise<SweepOutcome> {
  const { store, hazards } = context;
  const outcomes: WindowOutcome[] = [];
  const windows = usageWindows(window);
  if (windows.length > 1) hazards.met('long_window');
  for (const part of windows) {
    const outcome = await sweepWindow(context, part, prove);
    const before = outcomes.at(-1);
    if (prove && before?.complete === true && outcome.complete)
      await probeSeam(context, part.start, { before: before.atLast, after: outcome.atStart });
    outcomes.push(outcome);
  }
  const last = outcomes.findLast(({ samples }) => samples.length > 0);
  const lastPart = windows.at(-1);
  if (prove && lastPart !== undefined && outcomes.every(({ failure }) => failure === null))
    await probeReads(context, lastPart, last?.samples ?? []);
  const complete = outcomes.every((one) => one.complete);
  const reasons = outcomes.flatMap((one) => one.reasons);
  const records = outcomes.reduce((sum, one) => sum + one.records, 0);
  const leaves = outcomes.flatMap((one) => one.leaves);
  store.read({
    read: 'sweep_end',
    window,
    count: records,
    complete,
    reasons,
    judged_passes: outcomes.map(({ judgedPass }) => judgedPass),
    hazards: hazards.seen(),
    leaves,
  });
  return {
    complete,
    proved:
      prove &&
      complete &&
      leaves.every(
        ({ figure, totals, records: own, stable }) => figure !== 'records' || (stable && totals === own),
      ),
    reasons,
    records,
    pages: outcomes.reduce((sum, one) => sum + one.pages, 0),
    totalsRecords: outcomes.reduce<number | null>(
      (sum, { totalsRecords }) => (sum === null || totalsRecords === null ? null : sum + totalsRecords),
      0,
    ),
    failure: outcomes.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}
