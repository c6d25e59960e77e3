import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { CallMatch } from './call-match.ts';
import { printOf, printOfRecord } from './match-by-fingerprint.ts';
import { type TimeWindow, windowOf } from './time-window.ts';

export interface OpenLosses {
  /** Calls that no pass found a record for. */
  readonly missing: readonly PaidCall[];
  readonly matches: readonly CallMatch[];
  /** True where it is proved that every record of the call's time was read. */
  readonly isProved: (call: PaidCall) => boolean;
}

/**
 * Of the missing calls those whose loss proves nothing: a record that is as well theirs went to another call, in whose
 * time the read is not proved whole. The record that was not served may be that other call's, and so on from call to call.
 */
export function exchangedLosses(
  window: TimeWindow,
  { missing, matches, isProved }: OpenLosses,
): ReadonlySet<PaidCall> {
  const given = new Map(
    matches
      .filter(({ pass }) => pass === 'fingerprint' || pass === 'assignment')
      .map(({ call, records }) => [call, records] as const),
  );
  const tainted = [...given.keys()].filter((call) => !isProved(call));
  if (tainted.length === 0) return new Set();
  const waiting = new Waiting(window, [...missing, ...given.keys()]);
  for (const call of tainted) waiting.remove(call);
  const doubtful = new Set<PaidCall>();
  for (let call = tainted.pop(); call !== undefined; call = tainted.pop()) {
    const records = given.get(call);
    if (records === undefined) doubtful.add(call);
    else for (const record of records) for (const next of waiting.takeFitting(record)) tainted.push(next);
  }
  return doubtful;
}

/** Calls by what a record must tell to be theirs. */
class Waiting {
  readonly #left: Set<PaidCall>;
  readonly #byKey: ReadonlyMap<string, TimedCalls>;

  constructor(window: TimeWindow, calls: readonly PaidCall[]) {
    this.#left = new Set(calls);
    const keyed = [...this.#left].flatMap((call) => {
      const timed = { call, ...windowOf(window, call) };
      return keysOf(call).map((key) => ({ key, timed }));
    });
    this.#byKey = new Map(
      [...Map.groupBy(keyed, ({ key }) => key)].map(([key, same]) => [
        key,
        new TimedCalls(same.map(({ timed }) => timed)),
      ]),
    );
  }

  remove(call: PaidCall): void {
    this.#left.delete(call);
  }

  /** The calls that the record may belong to, which do not wait any more. */
  takeFitting(record: ServedRecord): readonly PaidCall[] {
    const { created_at } = record;
    if (created_at === null) return [];
    const found = [printOfRecord(record), record.asked_model].flatMap(
      (key) => this.#byKey.get(key)?.takeAt(created_at * 1000) ?? [],
    );
    // One that told its tokens stands under several keys.
    return found.filter((call) => this.#left.delete(call));
  }
}

interface Timed {
  readonly call: PaidCall;
  readonly from: number;
  readonly to: number;
}

/** Calls in order of time. What was taken is passed over at once, so that many records of one moment cost no more than one. */
class TimedCalls {
  readonly #timed: readonly Timed[];
  /** Where the next call that was not taken stands, at or behind a place. */
  readonly #next: number[];
  readonly #longest: number;

  constructor(timed: readonly Timed[]) {
    this.#timed = timed.toSorted((left, right) => left.from - right.from);
    this.#next = Array.from({ length: timed.length + 1 }, (_, index) => index);
    this.#longest = timed.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  }

  /** Takes those whose time holds some moment of this second, ms. */
  takeAt(second: number): readonly PaidCall[] {
    const taken: PaidCall[] = [];
    for (let at = this.#standing(this.#firstFrom(second - this.#longest)); ; at = this.#standing(at + 1)) {
      const timed = this.#timed[at];
      if (timed === undefined || timed.from > second + 999) return taken;
      if (timed.to < second) continue;
      taken.push(timed.call);
      this.#next[at] = at + 1;
    }
  }

  #standing(place: number): number {
    let at = place;
    for (let next = this.#next[at]; next !== undefined && next !== at; next = this.#next[at]) {
      const beyond = this.#next[next] ?? next;
      this.#next[at] = beyond;
      at = beyond;
    }
    return at;
  }

  /** The first place whose call begins then or later. */
  #firstFrom(ms: number): number {
    let [low, high] = [0, this.#timed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timed[middle]?.from ?? 0) < ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The prints of a call that told its tokens; of any other nothing but its model tells. */
function keysOf(call: PaidCall): readonly string[] {
  const prints = (['inside', 'beside'] as const).flatMap((cache) => printOf(call, cache) ?? []);
  return prints.length === 0 ? [call.model] : prints;
}
