import type { GatewayClient } from '../client/gateway-client.ts';
import type { ReadFailure } from '../client/read-result.ts';
import type { UsageWindow } from '../core/usage-lines.ts';
import { PageSize } from './page-size.ts';
import { type ReadRecord, type SecondsNow, UsageStore, wallSeconds } from './usage-store.ts';
import { usageWindows } from './usage-windows.ts';
import { describeFailure, type PageWalk, walkPages } from './walk-pages.ts';

export interface SweepRequest {
  readonly client: GatewayClient;
  /** The run folder. */
  readonly dir: string;
  /** Fixed by the caller: a moving end would let records slip between pages. */
  readonly window: UsageWindow;
  readonly sweep: number;
  /** Page size to ask for; learnt when left out. */
  readonly limit?: number | undefined;
  readonly secondsNow?: SecondsNow | undefined;
}

export interface SweepOutcome {
  /** Every window was read to its last page, its totals too, and no hazard was met. */
  readonly complete: boolean;
  readonly reasons: readonly string[];
  readonly records: number;
  /** Pages read, second passes included. */
  readonly pages: number;
  /** Sum over the windows; null where one could not be read. */
  readonly totalsRecords: number | null;
  /** The first read that failed. */
  readonly failure: ReadFailure | null;
}

/**
 * Reads all records and the totals of a period once and writes them to the run folder. Where the count of records
 * and the totals differ, the window is read a second time at once, since records may have arrived in between; the
 * second pass then stands.
 */
export async function collectSweep(request: SweepRequest): Promise<SweepOutcome> {
  const { client, dir, window, sweep } = request;
  const store = new UsageStore(dir, sweep, request.secondsNow ?? wallSeconds);
  const size = new PageSize(request.limit);
  let outcome: SweepOutcome = {
    complete: true,
    reasons: [],
    records: 0,
    pages: 0,
    totalsRecords: 0,
    failure: null,
  };
  for (const part of usageWindows(window))
    outcome = add(outcome, await sweepWindow(client, store, part, size));
  store.read({
    read: 'sweep_end',
    window,
    count: outcome.records,
    complete: outcome.complete,
    reasons: outcome.reasons,
  });
  return outcome;
}

async function sweepWindow(
  client: GatewayClient,
  store: UsageStore,
  window: UsageWindow,
  size: PageSize,
): Promise<SweepOutcome> {
  let pass = await readPass(client, store, window, size);
  let records: readonly ReadRecord[] = pass.walk.records;
  let { pages } = pass.walk;
  if (pass.walk.complete && pass.totals !== null && pass.totals.records !== records.length) {
    const first = pass;
    pass = await readPass(client, store, window, size);
    records =
      isDoubled(first) && isDoubled(pass) && sameRepeats(first, pass) ? both(pass) : pass.walk.records;
    pages += pass.walk.pages;
  }
  const { walk, totals, failure } = pass;
  store.records(records, false);
  if (totals !== null) store.totals(window, totals.body, totals.readAt);
  const reasons = [...walk.reasons, ...pass.reasons];
  if (walk.complete && totals !== null && totals.records !== records.length) {
    reasons.push(
      `totals_count_differs: ${window.start}–${window.end}: ${records.length} records, totals say ${totals.records ?? 'nothing readable'}`,
    );
  }
  return {
    complete: walk.complete && totals !== null,
    reasons,
    records: records.length,
    pages,
    totalsRecords: totals?.records ?? null,
    failure: walk.failure ?? failure,
  };
}

interface ReadTotals {
  readonly body: unknown;
  readonly records: number | null;
  readonly readAt: string;
}

interface Pass {
  readonly walk: PageWalk;
  readonly totals: ReadTotals | null;
  readonly reasons: readonly string[];
  readonly failure: ReadFailure | null;
}

async function readPass(
  client: GatewayClient,
  store: UsageStore,
  window: UsageWindow,
  size: PageSize,
): Promise<Pass> {
  const walk = await walkPages(client, store, { window }, size, 'records');
  const result = await client.usageTotals({ window });
  const readAt = store.instant();
  if (!result.ok) {
    const reason = `totals_failed: ${window.start}–${window.end}: ${describeFailure(result)}`;
    store.read({ read: 'totals', window, status: result.status, reasons: [reason] }, readAt);
    return { walk, totals: null, reasons: [reason], failure: result };
  }
  const { body } = result;
  const records = typeof body['records'] === 'number' ? body['records'] : null;
  store.read(
    { read: 'totals', window, count: records, status: result.status, sha256: result.sha256 },
    readAt,
  );
  return { walk, totals: { body, records, readAt }, reasons: [], failure: null };
}

/**
 * True where the totals count what was served on two pages twice. Content served twice is one record read twice by
 * overlapping pages, or two equal records. A record that arrives while pages are read looks the same once (it shifts
 * another over a page's edge and raises the totals by one), but not twice with the same content: only what two
 * passes show alike is kept double.
 */
function isDoubled({ walk, totals }: Pass): boolean {
  return walk.repeats.length > 0 && totals?.records === walk.records.length + walk.repeats.length;
}

function sameRepeats(first: Pass, second: Pass): boolean {
  const contents = ({ walk }: Pass) => walk.repeats.map(({ record }) => JSON.stringify(record)).sort();
  return JSON.stringify(contents(first)) === JSON.stringify(contents(second));
}

function both({ walk }: Pass): readonly ReadRecord[] {
  return [...walk.records, ...walk.repeats];
}

function add(left: SweepOutcome, right: SweepOutcome): SweepOutcome {
  return {
    complete: left.complete && right.complete,
    reasons: [...left.reasons, ...right.reasons],
    records: left.records + right.records,
    pages: left.pages + right.pages,
    totalsRecords:
      left.totalsRecords === null || right.totalsRecords === null
        ? null
        : left.totalsRecords + right.totalsRecords,
    failure: left.failure ?? right.failure,
  };
}
