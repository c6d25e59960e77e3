import { isOfCause } from '../../contracts/acceptance.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';

/** Ids of the findings that are accepted while that holds. A finding over many rows stands for its members. */
export function acceptedIds({
  findings,
  accepted,
}: Pick<Reconciliation, 'findings' | 'accepted'>): ReadonlySet<string> {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const held = findings.filter((finding) => {
    const named = (finding.group === null ? undefined : byId.get(finding.group)) ?? finding;
    return accepted.find(({ cause }) => isOfCause(cause, named))?.state === 'holds';
  });
  return new Set(held.map(({ id }) => id));
}
