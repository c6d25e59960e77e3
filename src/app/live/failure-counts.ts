import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import type { Failure } from '../notices/progress.ts';

/** Most failures that are remembered: a next attempt may still take them back. */
const MOST_OPEN = 5_000;
/** Most groups, since a target may give each answer its own code; the rest is only counted. */
const MOST_GROUPS = 200;
const MOST_TOLD = 10;

interface Counted {
  /** Null for what is only counted. */
  readonly group: Failure | null;
  readonly kind: PaidKind;
  readonly weight: number;
}

/** Calls that failed by outcome, status and error code, as the report groups them. */
export class FailureCounts {
  readonly #groups = new Map<string, Failure>();
  readonly #open = new Map<string, Counted>();
  #rest = 0;

  add(id: string, { outcome, status, error_code }: CallRow, kind: PaidKind, weight: number): void {
    const key = JSON.stringify([outcome, status, error_code]);
    const known = this.#groups.get(key);
    const isFull = known === undefined && this.#groups.size >= MOST_GROUPS;
    const group = isFull ? null : (known ?? { outcome, status, error_code, count: 0, kinds: {} });
    if (group !== null) this.#groups.set(key, group);
    const counted = { group, kind, weight };
    this.#change(counted, 1);
    this.#open.set(id, counted);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }

  /** The call goes on: what its attempt before counted for is taken back. */
  undo(id: string): void {
    const counted = this.#open.get(id);
    if (counted !== undefined) this.#change(counted, -1);
    this.#open.delete(id);
  }

  /** The commonest first, and how many calls stand in none of those told. */
  commonest(): { readonly errors: readonly Failure[]; readonly others: number } {
    const sorted = [...this.#groups]
      .filter(([, { count }]) => count > 0)
      .sort(([left, some], [right, others]) => others.count - some.count || (left < right ? -1 : 1))
      .map(([, group]) => ({ ...group, kinds: { ...group.kinds } }));
    const untold = sorted.slice(MOST_TOLD).reduce((sum, { count }) => sum + count, 0);
    return { errors: sorted.slice(0, MOST_TOLD), others: untold + this.#rest };
  }

  #change({ group, kind, weight }: Counted, sign: 1 | -1): void {
    if (group === null) {
      this.#rest += sign * weight;
      return;
    }
    group.count += sign * weight;
    const ofKind = (group.kinds[kind] ?? 0) + sign * weight;
    if (ofKind > 0) group.kinds[kind] = ofKind;
    else delete group.kinds[kind];
  }
}
