import type { GatewayClient } from '../../client/gateway-client.ts';
import { collectAccount } from '../../collect/collect-account.ts';
import { collectBook } from '../../collect/collect-book.ts';
import { collectRequest } from '../../collect/collect-request.ts';
import { collectSweep } from '../../collect/collect-sweep.ts';
import { ReadBudget } from '../../collect/read-budget.ts';
import { readerState } from '../../collect/reader-state.ts';
import { nextSweep } from '../../collect/usage-store.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { MAX_USAGE_WINDOW_S, parseInstant } from '../../core/time.ts';
import type { BookArchive } from '../../pricebook/archive/archive-index.ts';
import { readOpenItems } from './read-open-items.ts';

/** At most this many single-request reads a round: the audit must not become a load of its own. */
const REQUEST_READS_PER_ROUND = 50;

/**
 * The target's clock may be this much behind ours before its times contradict the calls. Records then lie before our
 * window, and their calls seem to have none. The first missing record is asked for over this much more, and tells from
 * when the sweeps have to read.
 */
const CLOCK_AWAY_S = 120;
/** Records are dated to the second, and an earlier call may end after the one that was asked for. */
const CLOCK_REST_S = 2;

/** What one round of reads has found. */
export interface SettleRound {
  /** From 1 on. */
  readonly round: number;
  /** Records read so far, and the calls whose charge is still open. */
  readonly records: number;
  readonly open_calls: number;
  /** True in a round that proves that everything was read. */
  readonly proving: boolean;
  /** Until the time given is over, ms; 0 where it is. */
  readonly left_ms: number;
}

/** Reads what one key may read. */
export interface KeyReader {
  readonly client: GatewayClient;
  /** Whose key it is, where a folder holds reads of several. */
  readonly keyFp?: string | undefined;
}

export interface SettleOptions {
  /** One for each key of the run; the first reads what every key sees. */
  readonly readers: readonly [KeyReader, ...KeyReader[]];
  readonly runDir: string;
  /** Unix seconds of the first moment of the run. */
  readonly startS: number;
  readonly waitMs: number;
  readonly pollMs: number;
  /** True where the client has the credentials of the account: its counters are read each round. */
  readonly account?: boolean;
  /** Name of the run where it carries over open items of earlier ones, which it then asks for by request id. */
  readonly runId?: string;
  /** Where the books of the target are kept beyond the run. */
  readonly archive?: BookArchive | undefined;
  readonly judge: () => Promise<Reconciliation>;
  readonly onRound: (round: SettleRound) => void;
  /** True when the user asked to stop: the round under way is the last. */
  readonly interrupted: () => boolean;
}

/**
 * Reads usage and judges, again and again, until the reconciler wants nothing more or the time is over. The last sweep
 * proves that it read everything, on which a claim of loss rests.
 */
export async function settle(options: SettleOptions): Promise<Reconciliation> {
  const { runDir: dir, onRound, interrupted } = options;
  const [{ client }] = options.readers;
  const deadline = performance.now() + options.waitMs;
  const readers = options.readers.map((reader) => ({
    ...reader,
    state: readerState({ budget: new ReadBudget({ stopped: interrupted }) }),
  }));
  const asked = new Set<string>();
  let start = options.startS;
  let end = nowS() + 1;
  let rounds = 0;
  const round = async (prove: boolean): Promise<Reconciliation> => {
    const window = { start, end };
    const from = start - CLOCK_AWAY_S;
    const earlier = { start: from, end: Math.min(end, from + MAX_USAGE_WINDOW_S) };
    let sweep = nextSweep(dir);
    // Records name the version of their moment: one that came during the load has to be read as well.
    await collectBook({ client, dir, sweep, archive: options.archive });
    if (options.account === true) await collectAccount({ client, dir, sweep });
    let records = 0;
    for (const reader of readers) {
      // Each key's sweep has a number of its own: which of its walks count is noted by that.
      sweep = nextSweep(dir);
      records += (await collectSweep({ ...reader, dir, window, sweep, prove })).records;
    }
    let verdict = await options.judge();
    const stragglers = verdict.wanted.flatMap((wanted) =>
      wanted.read === 'request' ? [wanted.request_id] : [],
    );
    const first = firstMissing(verdict, asked);
    const single = [...new Set([...first, ...stragglers.slice(0, REQUEST_READS_PER_ROUND)])];
    for (const requestId of single) {
      asked.add(requestId);
      for (const reader of readersOf(readers, verdict, requestId))
        await collectRequest({ ...reader, dir, window: earlier, sweep, requestId });
    }
    if (single.length > 0) verdict = await options.judge();
    start = startByTarget(verdict, start);
    rounds += 1;
    onRound({
      round: rounds,
      records,
      open_calls: verdict.completeness.open_calls,
      proving: prove,
      left_ms: Math.max(0, deadline - performance.now()),
    });
    return verdict;
  };
  const withEarlier = async (verdict: Reconciliation): Promise<Reconciliation> => {
    const { runId } = options;
    const items = verdict.suspense ?? [];
    if (runId === undefined || items.length === 0) return verdict;
    const sweep = nextSweep(dir);
    let asked = 0;
    for (const reader of readers)
      asked += await readOpenItems({ ...reader, runDir: dir, sweep, runId, items, interrupted });
    return asked === 0 ? verdict : options.judge();
  };
  for (;;) {
    const verdict = await round(false);
    const over = performance.now() >= deadline;
    if (interrupted()) return verdict;
    if (verdict.wanted.length === 0 || over) {
      const proved = await round(true);
      if (proved.wanted.length === 0 || over || interrupted()) return withEarlier(proved);
    }
    // The end stays where it is, so that calls of others cannot keep the totals moving; only a record of ours that is
    // still missing may lie behind it, where a gateway dates records by their settlement.
    if (verdict.calls.some((call) => call.match === 'none' && call.verdict === 'provisional'))
      end = nowS() + 1;
    await new Promise((resolve) => setTimeout(resolve, options.pollMs));
  }
}

/** Who sees the record: a key sees its own. An answer of another key would tell that there is none. */
function readersOf<Reader extends KeyReader>(
  readers: readonly Reader[],
  { calls }: Reconciliation,
  requestId: string,
): readonly Reader[] {
  if (readers.length === 1) return readers;
  const call = calls.find(({ request_id }) => request_id === requestId);
  const own = readers.filter(({ keyFp }) => keyFp === call?.row?.key_fp);
  return own.length === 0 ? readers : own;
}

/** The earliest call that must have a record and shows none, where it was not asked for before. */
function firstMissing({ calls }: Reconciliation, asked: ReadonlySet<string>): readonly string[] {
  const missing = calls.filter(({ match, outcome }) => match === 'none' && outcome === 'ok');
  const [first] = missing.toSorted((left, right) =>
    (left.started_at ?? '') < (right.started_at ?? '') ? -1 : 1,
  );
  const id = first?.request_id ?? null;
  return id === null || asked.has(id) ? [] : [id];
}

/**
 * When the run began by the clock of the target, where that is earlier. A clock that is behind dates every record before its
 * call ended: one record that alone is too early says nothing of it.
 */
function startByTarget({ calls }: Reconciliation, start: number): number {
  let earliest = start + CLOCK_REST_S;
  for (const { outcome, started_at, row, record } of calls) {
    const began_ms = started_at === null ? null : parseInstant(started_at);
    const dated = record?.created_at ?? null;
    if (outcome !== 'ok' || began_ms === null || row === null || dated === null) continue;
    if ((dated + CLOCK_REST_S) * 1000 >= began_ms + row.end_ms) return start;
    earliest = Math.min(earliest, dated);
  }
  return earliest - CLOCK_REST_S;
}

function nowS(): number {
  return Math.floor(Date.now() / 1000);
}
