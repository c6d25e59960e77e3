import type { UsageTotals } from '../../contracts/interface.ts';
import type { RecordSelection } from '../charging/record-store.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import type { PriceVersion } from '../pricing/price-history.ts';

interface UsageRead {
  readonly selection: RecordSelection;
  /** A page after the first. */
  readonly later: boolean;
  /** What another selection would see, newest first. */
  select(selection: RecordSelection): readonly ChargeRecord[];
}

/** The records of a page, and the position in the whole selection at which the next one starts; null: there is none. */
export interface PageSlice {
  readonly records: readonly ChargeRecord[];
  readonly next: number | null;
}

export interface SlicedRead {
  /** The whole selection in the order served. */
  readonly all: readonly ChargeRecord[];
  /** Where in it the right page starts. */
  readonly from: number;
  readonly limit: number;
  readonly later: boolean;
}

/** The records that totals sum. */
interface SummedRead {
  readonly records: readonly ChargeRecord[];
  /** The parts by day where midnight is so many seconds before that of UTC. */
  daily(ahead_s: number): UsageTotals['daily'];
}

/** Figures of the account read, in internal units. */
export interface ServedAccount {
  readonly quota: number;
  readonly used_quota: number;
  readonly request_count: number;
}

/** Faults of usage reads, of the account read and of that of the price book, armed by the read itself. */
export interface UsageHooks {
  /** The records that totals and pages see, newest first, in the place of the right ones; null leaves them. */
  records?(right: readonly ChargeRecord[], read: UsageRead): readonly ChargeRecord[] | null;
  /** How a page is cut in the place of the right one; null leaves it. */
  slice?(right: PageSlice, read: SlicedRead): PageSlice | null;
  /** The totals that are served instead; null leaves them. */
  totals?(totals: UsageTotals, summed: SummedRead): UsageTotals | null;
  /** What the account read tells instead; null leaves it. */
  account?(figures: ServedAccount): ServedAccount | null;
  /** The price book that is served instead, of the same version; null leaves it. */
  book?(right: PriceVersion): PriceVersion | null;
}
