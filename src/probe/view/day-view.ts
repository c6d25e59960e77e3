/** Runs that ended within one part of the last 24 hours. */
export interface DaySlot {
  readonly start_ms: number;
  readonly good: number;
  /** Failures for which the gateway, its upstream or the network is to blame. */
  readonly failed: number;
}

/** What one probe saw within 24 hours, as far as this daemon remembers. */
export interface DayView {
  /** The oldest first; a slot without a run is left out. */
  readonly slots: readonly DaySlot[];
  /** Times to the first token of streams, ms, each with its count. */
  readonly first_tokens: readonly (readonly [ms: number, count: number])[];
}

export const DAY_SLOTS = 48;
export const SLOT_MS = 86_400_000 / DAY_SLOTS;

/** The slots of all probes added up, the oldest first. */
export function slotsOf(days: readonly DayView[]): readonly DaySlot[] {
  const sums = new Map<number, DaySlot>();
  for (const { start_ms, good, failed } of days.flatMap(({ slots }) => slots)) {
    const sum = sums.get(start_ms) ?? { start_ms, good: 0, failed: 0 };
    sums.set(start_ms, { start_ms, good: sum.good + good, failed: sum.failed + failed });
  }
  return [...sums.values()].sort((left, right) => left.start_ms - right.start_ms);
}

/** Good and failed runs of these slots. */
export function runsOf(slots: readonly DaySlot[]): Omit<DaySlot, 'start_ms'> {
  const sum = { good: 0, failed: 0 };
  for (const { good, failed } of slots) {
    sum.good += good;
    sum.failed += failed;
  }
  return sum;
}

/** The time within which this share of all streams had its first token, ms; null without a stream. */
export function firstTokenWithin(days: readonly DayView[], share: number): number | null {
  const all = days.flatMap(({ first_tokens }) => first_tokens).toSorted(([left], [right]) => left - right);
  const rank = share * all.reduce((sum, [, count]) => sum + count, 0);
  let passed = 0;
  for (const [ms, count] of all) {
    passed += count;
    if (passed >= rank) return ms;
  }
  return null;
}
