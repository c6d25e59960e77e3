import { compareText } from '../../core/compare-text.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { contentOf } from '../records/served-record.ts';
import type { RequestGroup } from './request-groups.ts';
import { type TimeWindow, windowOf } from './time-window.ts';

export interface TimedPair {
  readonly call: PaidCall;
  readonly group: RequestGroup;
  /** Calls that this group could as well have been of. */
  readonly candidates: number;
}

/** Nearest first, ms from the time of the call: else a call would take the record of another one, which takes a third's. */
const REACHES_MS: readonly number[] = [1_000, 5_000, 30_000, Number.POSITIVE_INFINITY];

/**
 * Pairs calls and request groups of which any may be of any, as many as their times allow and near ones first: each
 * group, in order of time, goes to the fitting call whose window closes first. The result is the same in whatever
 * order they come.
 */
export function pairInTime(
  window: TimeWindow,
  calls: readonly PaidCall[],
  groups: readonly RequestGroup[],
): readonly TimedPair[] {
  const pairs: TimedPair[] = [];
  let leftCalls = calls;
  let leftGroups: readonly RequestGroup[] = groups
    .filter(([record]) => record.created_at !== null)
    .toSorted(
      ([left], [right]) =>
        (left.created_at ?? 0) - (right.created_at ?? 0) ||
        compareText(left.request_id, right.request_id) ||
        compareText(left.id, right.id) ||
        compareText(contentOf(left), contentOf(right)),
    );
  for (const reach of REACHES_MS) {
    const found = pairWithin(window, reach, leftCalls, leftGroups);
    pairs.push(...found);
    const paired = new Set<unknown>(found.flatMap(({ call, group }) => [call, group]));
    leftCalls = leftCalls.filter((call) => !paired.has(call));
    leftGroups = leftGroups.filter((group) => !paired.has(group));
    if (leftCalls.length === 0 || leftGroups.length === 0) break;
  }
  return pairs;
}

function pairWithin(
  window: TimeWindow,
  reach: number,
  calls: readonly PaidCall[],
  dated: readonly RequestGroup[],
): readonly TimedPair[] {
  const waiting = calls
    .map((call): Timed => {
      const { from, to } = windowOf(window, call);
      return {
        call,
        from: Math.max(from, call.started_ms - reach),
        to: Math.min(to, call.ended_ms + reach),
      };
    })
    .sort((left, right) => left.from - right.from || compareText(left.call.call_id, right.call.call_id));
  const pairs: TimedPair[] = [];
  const open = new EarliestFirst<Timed>(sooner);
  let next = 0;
  for (const group of dated) {
    const second = (group[0].created_at ?? 0) * 1000;
    for (;;) {
      const opened = waiting[next];
      if (opened === undefined || opened.from > second + 999) break;
      open.push(opened);
      next += 1;
    }
    while (open.first !== undefined && open.first.to < second) open.pop();
    const candidates = open.size;
    const first = open.pop();
    if (first !== undefined) pairs.push({ call: first.call, group, candidates });
  }
  return pairs;
}

interface Timed {
  readonly call: PaidCall;
  readonly from: number;
  readonly to: number;
}

function sooner(left: Timed, right: Timed): boolean {
  return (
    left.to < right.to || (left.to === right.to && compareText(left.call.call_id, right.call.call_id) < 0)
  );
}

/** A heap that gives the least of its items first. */
class EarliestFirst<T> {
  readonly #items: T[] = [];
  readonly #before: (left: T, right: T) => boolean;

  constructor(before: (left: T, right: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#before(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const pick = this.#lesserOf(left, left + 1);
      const below = items[pick];
      if (below === undefined || !this.#before(below, last)) break;
      items[at] = below;
      at = pick;
    }
    items[at] = last;
    return first;
  }

  #lesserOf(left: number, right: number): number {
    const one = this.#items[left];
    const other = this.#items[right];
    return one !== undefined && other !== undefined && this.#before(other, one) ? right : left;
  }
}
