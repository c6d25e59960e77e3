import type { PicoUsd } from '../core/amount.ts';
import type { PriceBook } from '../core/price-book.ts';
import { chargeOf } from './charge.ts';
import { expectedCharge } from './expected-charge.ts';
import { bookOf, type JudgeContext } from './judge-context.ts';
import type { PaidCall } from './paid-call.ts';
import { recordDue } from './record-due.ts';
import type { ServedRecord } from './served-record.ts';

/** Calls without an id and request groups without a call that may belong together, but not which to which. */
export interface OpenCluster {
  readonly calls: readonly PaidCall[];
  /** Records by request id: one group a request. */
  readonly groups: readonly RequestGroup[];
}

/** `created_at` is in whole seconds and clocks differ a little. */
const CLOCK_SLACK_MS = 5_000;

/**
 * Groups open calls with the records that may be theirs, by model, time and highest possible charge. Clusters share
 * neither calls nor records; records that fit no call are left out.
 */
export function openClusters(
  context: JudgeContext,
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
): { readonly clusters: readonly OpenCluster[]; readonly leftover: readonly ServedRecord[] } {
  const open = calls.filter((call) => recordDue(call) !== 'never').map((call) => new OpenCall(context, call));
  const byModel = Map.groupBy(open, ({ call }) => call.model);
  const groups: { readonly group: RequestGroup; readonly first: OpenCall }[] = [];
  const leftover: ServedRecord[] = [];
  for (const group of requestGroups(records)) {
    const models = [...new Set(group.map(({ model }) => model))];
    const fitting = models.flatMap((model) => byModel.get(model) ?? []).filter((call) => call.fits(group));
    const [first] = fitting;
    if (first === undefined) {
      leftover.push(...group);
      continue;
    }
    for (const other of fitting) first.join(other);
    groups.push({ group, first });
  }
  const callsOf = Map.groupBy(open, (call) => call.root());
  const groupsOf = Map.groupBy(groups, ({ first }) => first.root());
  const clusters = [...callsOf].map(([root, members]) => ({
    calls: members.map(({ call }) => call),
    groups: (groupsOf.get(root) ?? []).map(({ group }) => group),
  }));
  return { clusters, leftover };
}

/** The records of one request, which come from one call. */
export type RequestGroup = readonly [ServedRecord, ...ServedRecord[]];

function requestGroups(records: readonly ServedRecord[]): readonly RequestGroup[] {
  const byRequest = Map.groupBy(records, (record) => record.request_id || record.key);
  return [...byRequest.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [[first, ...rest] as const],
  );
}

/** A call as a member of a union of calls that share a fitting record. */
class OpenCall {
  readonly call: PaidCall;
  readonly #context: JudgeContext;
  readonly #earliest: number;
  readonly #highest = new Map<PriceBook | null, PicoUsd | null>();
  #parent: OpenCall | null = null;

  constructor(context: JudgeContext, call: PaidCall) {
    this.#context = context;
    this.call = call;
    this.#earliest = Math.floor((call.started_ms - CLOCK_SLACK_MS) / 1000) * 1000;
  }

  root(): OpenCall {
    let root: OpenCall = this;
    while (root.#parent !== null) root = root.#parent;
    this.#parent = root === this ? null : root;
    return root;
  }

  join(other: OpenCall): void {
    const root = other.root();
    if (root !== this.root()) root.#parent = this.root();
  }

  fits(group: RequestGroup): boolean {
    return group.some((record) => this.#fitsRecord(record));
  }

  #fitsRecord(record: ServedRecord): boolean {
    if (record.model !== this.call.model || record.created_at === null) return false;
    const createdMs = record.created_at * 1000;
    if (createdMs < this.#earliest || createdMs > record.read_ms) return false;
    if (recordDue(this.call) === 'must') return true;
    const charge = chargeOf(record, this.#context.settings);
    const highest = this.#highestCharge(bookOf(this.#context, record));
    return charge === null || highest === null || charge.lo <= highest;
  }

  /** Null where it is not known. */
  #highestCharge(book: PriceBook | null): PicoUsd | null {
    const known = this.#highest.get(book);
    if (known !== undefined) return known;
    const expected = expectedCharge(this.#context, this.call, null, book);
    const highest = 'unknown' in expected ? null : expected.hi;
    this.#highest.set(book, highest);
    return highest;
  }
}
