export interface MoneyResult {
  /** Sum of what each checked call should cost, at the point value; null where no call could be priced. */
  readonly expected: string | null;
  readonly charged: string | null;
  /** The part of `charged` whose expected charge is no point: charged = expected + difference + charged_inexact. */
  readonly charged_inexact: string | null;
  readonly refunded: string | null;
  readonly pending: string | null;
  /** Charged minus expected over calls whose expected charge is a point. */
  readonly difference: string | null;
  /** Σ max(0, charged − highest possible) and Σ max(0, lowest possible − charged). */
  readonly certain_over: string | null;
  readonly certain_under: string | null;
  /**
   * Total width of the intervals that could not be narrowed to a point. In an audit without a ledger, what its records
   * can't decide counts with what of its charge is possible: charged = certain_over − certain_under + open.
   */
  readonly open: string | null;
  readonly records: number;
  /** Records of this key that no call of ours explains, on a shared key: not ours, not judged. */
  readonly foreign: TrafficSum;
  /** Records of calls that other runs of ours, or the daemon, made with this key; absent where there are none. */
  readonly known?: readonly KnownSum[] | undefined;
  /** Records without a call, where the ledger lacks rows of its own; absent where there are none. */
  readonly unattributed?: TrafficSum | undefined;
  /** Calls whose charge is still awaited, by their age at the last read. */
  readonly aging: readonly AgingBucket[];
  /** Open items carried from earlier runs of the same state; null where no state is kept. */
  readonly suspense: SuspenseBridge | null;
  readonly by_model: readonly ModelMoney[];
  readonly by_day: readonly DayMoney[];
}

/** Records that are not judged by a call of the ledger. */
export interface TrafficSum {
  readonly records: number;
  readonly amount: string | null;
}

interface KnownSum extends TrafficSum {
  /** `run <id>`, or `the probe`. */
  readonly of: string;
}

export const AGING_BUCKETS = ['0-2 min', '2-15 min', '15-60 min', '1-24 h', 'over 24 h'] as const;

export interface AgingBucket {
  readonly bucket: (typeof AGING_BUCKETS)[number];
  readonly calls: number;
  /** Least and most that they can come to; null where the most is not known. */
  readonly lo: string;
  readonly hi: string | null;
}

/** opening + added − cleared = closing, in items and in USD (the most that each can come to). */
export interface SuspenseBridge {
  readonly opening: SuspenseSum;
  readonly added: SuspenseSum;
  readonly cleared: SuspenseSum;
  readonly closing: SuspenseSum;
}

export interface SuspenseSum {
  readonly items: number;
  /** Null where the most of one of them is not known. */
  readonly amount: string | null;
}

export interface ChargedMoney {
  readonly calls: number;
  readonly charged: string | null;
  readonly expected: string | null;
  /** Charged minus expected where both are one figure. */
  readonly difference: string | null;
}

export interface ModelMoney extends ChargedMoney {
  readonly model: string;
}

/** By the UTC day of the record. */
export interface DayMoney extends ChargedMoney {
  readonly day: string;
}

/** The money of a result: the reconciler's sums, and whose they are. */
export interface RunMoney extends MoneyResult {
  /** Those of `records` that belong to the trial calls made before the load. */
  readonly trial_records: number;
  /** Charged for attempts that were followed by another one of the same call; null where a charge is not known. */
  readonly retried: string | null;
}
