import type { PicoUsd } from '../../core/amount.ts';

/** Readings of the bill under which rows were accepted. They were clean under these and no others. */
export interface AssumedReadings {
  readonly amount_meaning: 'net' | 'gross';
  readonly input_includes_cache: 'yes' | 'no';
}

/** Calls that are clean for certain, and their records: what a judgement of all rows still needs to know of them. */
export interface AcceptedSums {
  readonly assumed: AssumedReadings;
  /** Milliseconds since the epoch; null without any call. */
  readonly first_started_ms: number | null;
  /** The last moment of which their rows and intents tell. */
  readonly last_sign_ms: number | null;
  /** Calls that are alike in all that a verdict counts; each stays away from the judgement but for its witness. */
  readonly groups: readonly AcceptedGroup[];
  /** Call ids that were accepted and are judged all the same: one of each group, and some of each price. */
  readonly witnesses: readonly string[];
  /** Every reading of their records, by sweep, walk, model and day: for the comparison with totals. */
  readonly records: readonly AcceptedRecords[];
  /** How many accepted records tell the amount's meaning, where cached tokens are counted, and how a reserve ends. */
  readonly telling: AcceptedTelling;
}

export interface AcceptedTelling {
  readonly net: number;
  readonly gross: number;
  readonly inside: number;
  readonly beside: number;
  /** A part of the reserve came back as a refund, or was let go without one. */
  readonly returned: number;
  readonly released: number;
}

/** Witnesses are not among what it counts. */
export interface AcceptedGroup {
  /** Call id of the one that is judged for all of them. */
  readonly witness: string;
  readonly calls: number;
  /** To the digit what the book asks for. */
  readonly charged: PicoUsd;
  readonly refunded: PicoUsd;
}

export interface AcceptedRecords {
  readonly sweep: number;
  /** Null where its lines name none. */
  readonly pass: number | null;
  readonly model: string;
  readonly day: string;
  readonly records: number;
  readonly amount: PicoUsd;
  readonly reserved: PicoUsd;
  readonly refunded: PicoUsd;
}

/** Nothing accepted: every row is judged by itself. */
export const NOTHING_ACCEPTED: AcceptedSums = {
  assumed: { amount_meaning: 'net', input_includes_cache: 'yes' },
  first_started_ms: null,
  last_sign_ms: null,
  groups: [],
  witnesses: [],
  records: [],
  telling: { net: 0, gross: 0, inside: 0, beside: 0, returned: 0, released: 0 },
};

/** Calls that were taken out of the judgement. */
export function acceptedCalls({ groups }: Pick<AcceptedSums, 'groups'>): number {
  return groups.reduce((sum, { calls }) => sum + calls, 0);
}
