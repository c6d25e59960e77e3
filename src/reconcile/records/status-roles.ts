import { type BillingTerms, declaredIn } from '../../contracts/billing-terms.ts';
import { type CoverageSetting, shownSetting } from '../../contracts/coverage-result.ts';
import type { ServedRecord } from './served-record.ts';
import { isNamedStatus, NAMED, namedRole, type StatusRole } from './status-role.ts';

type Declared = BillingTerms['readings']['status'];

/**
 * The records with the role of their status: declared by the user, named as usual, or learnt from all versions of the
 * records that have it. `versions` are in the order in which they were read.
 */
export function withRoles(versions: readonly ServedRecord[], declared: Declared): readonly ServedRecord[] {
  const strange = versions.some(({ billing_status: status }) => !NAMED.has(status));
  if (!strange && Object.keys(declared).length === 0) return versions;
  const learnt = learntRoles(versions);
  return versions.map((record) => {
    const status = record.billing_status;
    const role = declaredRole(declared, status) ?? learnt.get(status) ?? namedRole(status);
    return role === record.role ? record : { ...record, role };
  });
}

/** Every word of status that was met, with what it was taken for. `accepted`: settled records that are not here. */
export function statusSettings(
  records: readonly ServedRecord[],
  terms: Pick<BillingTerms, 'readings' | 'assumed'>,
  accepted = 0,
): readonly CoverageSetting[] {
  const byStatus = Map.groupBy(records, ({ billing_status }) => billing_status);
  return [...byStatus].sort(byName).map(([status, group]) => {
    const roles = [...new Set(group.map(({ role }) => role))].sort();
    const count = group.length + (status === 'settled' ? accepted : 0);
    const isDeclared = declaredRole(terms.readings.status, status) !== null;
    const basis = isDeclared ? 'declared' : isNamedStatus(status) ? 'word' : 'records';
    return shownSetting({
      name: `status_${status}`,
      value: roles.join(' or '),
      basis: basis === 'records' && roles.every((role) => role === 'unknown') ? 'assumed' : basis,
      evidence:
        basis === 'declared'
          ? `declared in ${declaredIn(terms, 'readings', `status.${status}`)}`
          : basis === 'word'
            ? `${count} records with this word, in its usual sense`
            : `the amounts and the history of ${count} records with it`,
      example: group[0] === undefined ? null : `record:${group[0].id}`,
    });
  });
}

function declaredRole(declared: Declared, status: string): StatusRole | null {
  return Object.hasOwn(declared, status) ? (declared[status] ?? null) : null;
}

function learntRoles(versions: readonly ServedRecord[]): ReadonlyMap<string, StatusRole> {
  const votes = new Map<string, Map<StatusRole, number>>();
  const notPending = new Set<string>();
  function vote(status: string, role: StatusRole): void {
    if (NAMED.has(status)) return;
    const counts = votes.get(status) ?? new Map<StatusRole, number>();
    votes.set(status, counts.set(role, (counts.get(role) ?? 0) + 1));
  }
  for (const record of versions) {
    const role = roleByArithmetic(record);
    if (role !== null) vote(record.billing_status, role);
  }
  for (const history of Map.groupBy(versions, ({ key }) => key).values()) {
    for (const [index, now] of history.entries()) {
      const before = history[index - 1];
      if (before === undefined || before.billing_status === now.billing_status) continue;
      // A trusted account reserves nothing: only that an amount came later tells that it was awaited.
      if (before.amount.exact === 0n && (now.amount.exact ?? 0n) > 0n) vote(before.billing_status, 'pending');
      // What a waiting record becomes without any change of its money is no waiting any more.
      if (isHeld(before) && isHeld(now)) notPending.add(now.billing_status);
    }
  }
  return new Map(
    [...votes].map(([status, counts]) => {
      const role = majority(counts);
      return [status, role === 'pending' && notPending.has(status) ? 'unknown' : role];
    }),
  );
}

/** The one role under which the three amounts add up, whether `amount` is meant net or gross; null where none or all do. */
function roleByArithmetic({ amount, reserved, refunded }: ServedRecord): StatusRole | null {
  const [taken, held, back] = [amount.exact, reserved.exact, refunded.exact];
  if (taken === null || held === null || back === null || taken < 0n || held < 0n || back < 0n) return null;
  if (held === 0n) return taken > 0n ? 'settled' : null;
  if (taken === 0n && back === 0n) return 'pending';
  if (back === held && (taken === 0n || taken === held)) return 'refunded';
  const rest = held > taken ? held - taken : 0n;
  return taken > 0n && (back === 0n || back === rest || taken === held) ? 'settled' : null;
}

function isHeld({ amount, reserved, refunded }: ServedRecord): boolean {
  return amount.exact === 0n && refunded.exact === 0n && (reserved.exact ?? 0n) > 0n;
}

function majority(counts: ReadonlyMap<StatusRole, number>): StatusRole {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts].find(([, count]) => count * 2 > total)?.[0] ?? 'unknown';
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
