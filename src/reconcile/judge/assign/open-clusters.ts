import type { PriceBook } from '../../../contracts/price-book.ts';
import type { PicoUsd } from '../../../core/amount.ts';
import { type AmountBounds, chargeOfRequest } from '../../expect/charge.ts';
import { expectedCharge } from '../../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../../expect/judge-context.ts';
import { type RequestGroup, requestGroups } from '../../match/request-groups.ts';
import { inWindow, type TimeWindow, windowOf } from '../../match/time-window.ts';
import type { PaidCall } from '../../records/paid-call.ts';
import { recordDue } from '../../records/record-due.ts';
import type { ServedRecord } from '../../records/served-record.ts';

/** Calls without an id and request groups without a call that may belong together, but not which to which. */
export interface OpenCluster {
  readonly calls: readonly PaidCall[];
  /** Records by request id: one group a request. */
  readonly groups: readonly RequestGroup[];
}

/**
 * Groups open calls with the records that may be theirs, by model, time and highest possible charge. Clusters share
 * neither calls nor records; records that fit no call are left out.
 */
export function openClusters(
  context: JudgeContext,
  window: TimeWindow,
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
): { readonly clusters: readonly OpenCluster[]; readonly leftover: readonly ServedRecord[] } {
  const open = calls
    .filter((call) => recordDue(call) !== 'never')
    .map((call) => new OpenCall(context, window, call));
  const byModel = Map.groupBy(open, ({ call }) => call.model);
  const groups: { readonly group: RequestGroup; readonly first: OpenCall }[] = [];
  const leftover: ServedRecord[] = [];
  for (const group of requestGroups(records)) {
    const models = [...new Set(group.map(({ asked_model }) => asked_model))];
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

/** A call as a member of a union of calls that share a fitting record. */
class OpenCall {
  readonly call: PaidCall;
  readonly #context: JudgeContext;
  readonly #span: { readonly from: number; readonly to: number };
  readonly #highest = new Map<PriceBook | null, PicoUsd | null>();
  #parent: OpenCall | null = null;

  constructor(context: JudgeContext, window: TimeWindow, call: PaidCall) {
    this.#context = context;
    this.call = call;
    this.#span = windowOf(window, call);
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
    const charge = chargeOfRequest(group, this.#context.settings);
    return group.some((record) => this.#fitsRecord(record, charge));
  }

  #fitsRecord(record: ServedRecord, charge: AmountBounds | null): boolean {
    if (record.asked_model !== this.call.model || !inWindow(this.#span, record)) return false;
    if (recordDue(this.call) === 'must') return true;
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
