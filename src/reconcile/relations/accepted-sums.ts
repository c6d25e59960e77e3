import type { PicoUsd } from '../../core/amount.ts';
import type { TextKind } from '../../core/call-kind.ts';

/** Readings of the bill under which rows were accepted. They were clean under these and no others. */
export interface AssumedReadings {
  readonly amount_meaning: 'net' | 'gross';
  readonly input_includes_cache: 'yes' | 'no';
}

/** Calls that are clean for certain, and their records: what a judgement of all rows still needs to know of them. */
export interface AcceptedSums {
  readonly assumed: AssumedReadings;
  readonly calls: number;
  /** Milliseconds since the epoch; null without any call. */
  readonly first_started_ms: number | null;
  /** The last moment of which their rows and intents tell. */
  readonly last_sign_ms: number | null;
  /** By price cell, kind and UTC day of the record. */
  readonly charges: readonly AcceptedCharges[];
  /** Every reading of their records, by sweep, walk, model and day: for the comparison with totals. */
  readonly records: readonly AcceptedRecords[];
  /** When records are dated, in whole seconds (rounded down) after the start and the end of their calls. */
  readonly dating: readonly AcceptedDating[];
  /** How many accepted records tell the amount's meaning, and where cached tokens are counted. */
  readonly telling: {
    readonly net: number;
    readonly gross: number;
    readonly inside: number;
    readonly beside: number;
  };
}

export interface AcceptedCharges {
  /** Of the compiled price book; it names model, version and grade. */
  readonly cell: number;
  readonly kind: TextKind;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly calls: number;
  readonly charged: PicoUsd;
  /** What the book asks for; equal to `charged`, but summed from the prices. */
  readonly expected: PicoUsd;
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

export interface AcceptedDating {
  readonly anchor: 'start' | 'end';
  readonly offset_s: number;
  readonly pairs: number;
}

/** Nothing accepted: every row is judged by itself. */
export const NOTHING_ACCEPTED: AcceptedSums = {
  assumed: { amount_meaning: 'net', input_includes_cache: 'yes' },
  calls: 0,
  first_started_ms: null,
  last_sign_ms: null,
  charges: [],
  records: [],
  dating: [],
  telling: { net: 0, gross: 0, inside: 0, beside: 0 },
};
