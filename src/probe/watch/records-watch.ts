import type { UsagePageFrame } from '../../client/wire-schemas.ts';
import { addSums, NO_SUMS, sumsOf } from '../../collect/record-sums.ts';
import { RECORD_CHANGES } from '../../contracts/metrics/label-values.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { RECORD_DEFAULTS, USAGE_RECORD_SCHEMA, type UsageWindow } from '../../contracts/usage-lines.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { formatInstant } from '../../core/time.ts';
import { contentOf, type ServedRecord, serveRecord } from '../../reconcile/records/served-record.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { usdNumber } from '../metrics/usd-number.ts';
import { inPieces } from './in-pieces.ts';
import { type HistoryStep, RecordHistory } from './record-history.ts';
import { amountIn, isInUsd } from './served-figures.ts';
import type { WatchedWindow } from './target-watch.ts';

const CHANGES = 'weighbridge_usage_record_changes_total';
const DRIFT = 'weighbridge_usage_totals_drift_usd';
const COUNTS = ['weighbridge_usage_read_records', 'weighbridge_usage_estimated_records'] as const;

export interface RecordsRead {
  readonly name: WatchedWindow;
  readonly window: UsageWindow;
  readonly pages: readonly UsagePageFrame[];
  /** Those of the pages, each once. */
  readonly records: readonly ServedRecord[];
  /** Every page of the window was read. */
  readonly whole: boolean;
}

/** What the request records of a window say, against the totals and against what was read of them before. */
export class RecordsWatch {
  readonly #metrics: ProbeMetricsRegistry;
  readonly #name: string;
  readonly #history = new RecordHistory();

  /** `earlier`: archived pages, the oldest first. */
  constructor(
    { name }: Pick<ProbeTarget, 'name'>,
    metrics: ProbeMetricsRegistry,
    earlier: readonly { readonly page: UsagePageFrame; readonly at_ms: number }[],
  ) {
    this.#metrics = metrics;
    this.#name = name;
    metrics.precreate(
      CHANGES,
      RECORD_CHANGES.map((change) => ({ target: name, change })),
    );
    // What changed between archived pages was counted when they were read.
    for (const { page, at_ms } of earlier) this.#history.remember(watchedRecords(page, at_ms));
  }

  /** The archive keeps the pages that hold something of `news`. */
  async read({ name, window, records, whole }: RecordsRead): Promise<HistoryStep> {
    const step = await this.#history.read(records, window, whole);
    for (const change of RECORD_CHANGES)
      this.#metrics.inc(CHANGES, { target: this.#name, change }, step.counts[change]);
    const labels = { target: this.#name, window: name };
    const estimated = records.filter(({ usage_estimated }) => usage_estimated).length;
    this.#metrics.set(COUNTS[0], labels, records.length);
    this.#metrics.set(COUNTS[1], labels, estimated);
    return step;
  }

  /** `totals` of the very window of the records; null where either could not be read in full. */
  drift(read: RecordsRead, totals: unknown): void {
    const drift = read.whole && totals !== null ? driftOf(read, totals) : null;
    const labels = { target: this.#name, window: read.name };
    this.#metrics.set(DRIFT, labels, drift === null ? Number.NaN : usdNumber(drift));
  }

  settledAt(requestId: string): number | null {
    return this.#history.settledAt(requestId);
  }

  close(): void {
    for (const name of [...COUNTS, DRIFT, CHANGES] as const)
      this.#metrics.remove(name, { target: this.#name });
  }
}

/** The records of a page as far as they can be read. */
export function watchedRecords(page: UsagePageFrame, atMs: number): readonly ServedRecord[] {
  const currency = typeof page.currency === 'string' ? page.currency : null;
  return page.data.map((record) =>
    serveRecord({
      schema: USAGE_RECORD_SCHEMA,
      read_at: formatInstant(atMs),
      sweep: 0,
      by_request_id: false,
      ...RECORD_DEFAULTS,
      currency,
      record,
    }),
  );
}

/** Served twice with one content, it is one record: pages overlap where records came in between. */
export async function eachOnce(records: readonly ServedRecord[]): Promise<readonly ServedRecord[]> {
  const byContent = new Map<string, ServedRecord>();
  for await (const piece of inPieces(records))
    for (const record of piece) byContent.set(`${record.key} ${contentOf(record)}`, record);
  return [...byContent.values()];
}

/**
 * Settled totals minus the settled records, exact. Whether a refund is taken off `amount` the interface leaves open: the
 * reading that fits better stands.
 */
function driftOf({ pages, records }: RecordsRead, totals: unknown): PicoUsd | null {
  const told = isInUsd(totals) && pages.every(isInUsd) ? amountIn(totals, 'settled_amount') : null;
  if (told === null) return null;
  const { settled } = records.map(({ served }) => sumsOf(served)).reduce(addSums, NO_SUMS);
  const drifts = settled.flatMap((sum) => (sum === null ? [] : [told - sum]));
  return drifts.length === 0
    ? null
    : drifts.reduce((least, each) => (size(each) < size(least) ? each : least));
}

function size(amount: PicoUsd): bigint {
  return amount < 0n ? -amount : amount;
}
