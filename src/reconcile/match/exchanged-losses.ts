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
    else for (const record of records) tainted.push(...waiting.takeFitting(record));
  }
  return doubtful;
}

/** Calls by what a record must tell to be theirs, in order of time. */
class Waiting {
  readonly #left: Set<PaidCall>;
  readonly #byKey = new Map<string, Timed[]>();

  constructor(window: TimeWindow, calls: readonly PaidCall[]) {
    this.#left = new Set(calls);
    for (const call of this.#left)
      for (const key of keysOf(call)) {
        const same = this.#byKey.get(key) ?? [];
        same.push({ call, ...windowOf(window, call) });
        this.#byKey.set(key, same);
      }
    for (const same of this.#byKey.values()) same.sort((left, right) => left.from - right.from);
  }

  remove(call: PaidCall): void {
    this.#left.delete(call);
  }

  /** The calls that the record may belong to, which do not wait any more. */
  takeFitting(record: ServedRecord): readonly PaidCall[] {
    if (record.created_at === null) return [];
    const second = record.created_at * 1000;
    const taken: PaidCall[] = [];
    for (const key of [printOfRecord(record), record.model]) {
      const same = this.#byKey.get(key) ?? [];
      const kept: Timed[] = [];
      for (const [index, timed] of same.entries()) {
        if (timed.from > second + 999) {
          kept.push(...same.slice(index));
          break;
        }
        if (!this.#left.has(timed.call)) continue;
        if (timed.to < second) kept.push(timed);
        else {
          this.#left.delete(timed.call);
          taken.push(timed.call);
        }
      }
      this.#byKey.set(key, kept);
    }
    return taken;
  }
}

interface Timed {
  readonly call: PaidCall;
  readonly from: number;
  readonly to: number;
}

/** The prints of a call that told its tokens; of any other nothing but its model tells. */
function keysOf(call: PaidCall): readonly string[] {
  const prints = (['inside', 'beside'] as const).flatMap((cache) => printOf(call, cache) ?? []);
  return prints.length === 0 ? [call.model] : prints;
}
