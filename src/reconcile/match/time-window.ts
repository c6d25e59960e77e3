import type { BillingReadings } from '../../contracts/billing-readings.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';

/** When a record of a call may be dated, against its start or its end. */
export interface TimeWindow {
  readonly anchor: 'start' | 'end';
  /** Added to the anchor, ms. */
  readonly least_ms: number;
  readonly most_ms: number;
  /** Pairs it was learnt from; 0 for the default. */
  readonly pairs: number;
}

/** Clocks differ a little, and `created_at` is in whole seconds (interface §4). */
const SLACK_MS = 2_000;
const DEFAULT_BEFORE_MS = 5_000;
/** A target that goes on after we have left dates the record of such a call by its own end. */
const AFTER_CUT_MS = 120_000;
/** Fewer pairs may all lie in one moment and teach a window that is too narrow. */
const LEAST_PAIRS = 20;
/** Of an ordered list of offsets; what lies beyond is no habit of the target. */
const OUTER_SHARE = 0.001;

export const DEFAULT_WINDOW: TimeWindow = {
  anchor: 'start',
  least_ms: -DEFAULT_BEFORE_MS,
  most_ms: AFTER_CUT_MS,
  pairs: 0,
};

/**
 * How the target dates its records, from pairs that an id brought together: against the declared moment of the call,
 * else against its start or its end, from which they lie less far apart.
 */
export function learnWindow(
  pairs: Iterable<readonly [PaidCall, ServedRecord]>,
  declared: BillingReadings['created_at'] = 'auto',
): TimeWindow {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const [call, record] of pairs) {
    if (record.created_at === null || call.outcome !== 'ok') continue;
    starts.push(record.created_at * 1000 - call.started_ms);
    ends.push(record.created_at * 1000 - call.ended_ms);
  }
  if (starts.length < LEAST_PAIRS) return DEFAULT_WINDOW;
  const byStart = spreadOf(starts);
  const byEnd = spreadOf(ends);
  const isEnd =
    declared === 'auto' ? byEnd.most - byEnd.least < byStart.most - byStart.least : declared === 'settlement';
  const anchor = isEnd ? 'end' : 'start';
  const { least, most } = anchor === 'end' ? byEnd : byStart;
  return { anchor, least_ms: least - SLACK_MS, most_ms: most + SLACK_MS, pairs: starts.length };
}

/** First and last millisecond in which a record of this call may be dated. */
export function windowOf(window: TimeWindow, call: PaidCall): { readonly from: number; readonly to: number } {
  const sure = call.outcome === 'ok' && window.pairs > 0;
  if (sure) {
    const anchor = window.anchor === 'end' ? call.ended_ms : call.started_ms;
    return { from: anchor + window.least_ms, to: anchor + window.most_ms };
  }
  // Where a call was cut its end is ours, not the target's: anything from its start on may be its date.
  const before = Math.min(window.least_ms, -DEFAULT_BEFORE_MS);
  return { from: call.started_ms + before, to: call.ended_ms + Math.max(window.most_ms, AFTER_CUT_MS) };
}

/** True where some moment of the record's second lies in the window. */
export function inWindow(
  { from, to }: { readonly from: number; readonly to: number },
  record: ServedRecord,
): boolean {
  if (record.created_at === null) return false;
  const second = record.created_at * 1000;
  return second + 999 >= from && second <= to;
}

function spreadOf(offsets: readonly number[]): { readonly least: number; readonly most: number } {
  const sorted = offsets.toSorted((left, right) => left - right);
  const away = Math.floor(sorted.length * OUTER_SHARE);
  return { least: sorted[away] ?? 0, most: sorted[sorted.length - 1 - away] ?? 0 };
}
