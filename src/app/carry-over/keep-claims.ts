import { CLAIM_SCHEMA, type ClaimEvent } from '../../contracts/claim.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { formatInstant } from '../../core/time.ts';
import { type Claimable, claimAmount, claimable } from '../../report/claims/claimable.ts';
import { creditSeen, requestStanding } from '../../report/claims/request-standing.ts';
import { billRows } from '../../report/rows/bill-row.ts';
import { appendClaims, readClaims, type StoredClaim } from './claims-file.ts';

/** An audit that claims, or that may show what came back. */
export interface ClaimingAudit {
  readonly run_id: string;
  readonly reconciliation: Reconciliation;
}

/** What later records give back of earlier claims is noted as credited, however it was called before. */
export async function noteCredits(targetDir: string, audit: ClaimingAudit): Promise<void> {
  if (creditEvents(readClaims(targetDir), audit).length === 0) return;
  await appendClaims(targetDir, (claims) => creditEvents(claims, audit));
}

/**
 * True while the records of this run are worth another read: a claim was sent and not answered, or came back in part.
 */
export function awaitsCredit(targetDir: string, run_id: string): boolean {
  const awaits = ({ state, credited }: StoredClaim): boolean =>
    state === 'sent' || (state === 'open' && credited !== '0');
  return readClaims(targetDir).some((each) => each.run_id === run_id && awaits(each));
}

function creditEvents(
  claims: readonly StoredClaim[],
  { run_id, reconciliation }: ClaimingAudit,
): readonly ClaimEvent[] {
  const { last_read_at } = reconciliation.completeness;
  const waiting = claims.filter(
    ({ state, read_at }) =>
      state !== 'credited' && read_at !== null && last_read_at !== null && read_at < last_read_at,
  );
  if (waiting.length === 0) return [];
  const standing = requestStanding(billRows(run_id, reconciliation));
  return waiting.flatMap(({ claim, credited }): ClaimEvent[] => {
    const further = -unseenCredit({ claim, credited }, standing(claim));
    if (further <= 0n) return [];
    return [
      {
        ...eventOf(claim.id, 'credited'),
        by: 'records',
        credited: formatAmount(further),
        run_id,
        read_at: last_read_at,
      },
    ];
  });
}

/** What came back of a claim by what is noted, beyond what an audit sees of it; below 0 where it sees more. */
function unseenCredit(
  { claim, credited }: Pick<StoredClaim, 'claim' | 'credited'>,
  standing: string | null,
): PicoUsd {
  return claimAmount(credited) - claimAmount(creditSeen(claim, standing));
}

export interface Unclaimed {
  /** What no earlier bundle claims, or one that is still open. */
  readonly claimable: Claimable;
  /** Left out: sent, credited or refused before, or in part given back by records that this audit has not read. */
  readonly before: readonly StoredClaim[];
}

/** What can be claimed, without what was claimed before: by its id, or by one of its records. */
export function unclaimed(
  { run_id, reconciliation }: ClaimingAudit,
  stored: readonly StoredClaim[],
): Unclaimed {
  const { claims, ...rest } = claimable(run_id, reconciliation);
  const standing = requestStanding(billRows(run_id, reconciliation));
  const closed = stored.filter(
    (each) => each.state !== 'open' || unseenCredit(each, standing(each.claim)) > 0n,
  );
  const byKey = new Map(closed.flatMap((each) => keysOf(each.claim).map((key) => [key, each] as const)));
  const before = new Set<StoredClaim>();
  const left = claims.filter(({ claim }) => {
    const earlier = keysOf(claim).flatMap((key) => byKey.get(key) ?? []);
    for (const each of earlier) before.add(each);
    return earlier.length === 0;
  });
  return { claimable: { claims: left, ...rest }, before: [...before] };
}

function keysOf({ part, records, id }: StoredClaim['claim']): readonly string[] {
  return [id, ...records.map((record) => JSON.stringify([part, record.request_id, record.id]))];
}

/** Notes the claims of a bundle as open; one that stands in it already is not noted again. */
export async function noteBundle(
  targetDir: string,
  { run_id, reconciliation }: ClaimingAudit,
  bundle: { readonly id: string; readonly claims: Claimable['claims'] },
): Promise<void> {
  await appendClaims(targetDir, (stored) => {
    const known = new Map(stored.map((each) => [each.claim.id, each]));
    return bundle.claims.flatMap(({ claim }): ClaimEvent[] => {
      const held = known.get(claim.id);
      // Another command may have sent it since.
      if (held !== undefined && (held.state !== 'open' || held.bundles.at(-1) === bundle.id)) return [];
      return [
        {
          ...eventOf(claim.id, 'open'),
          by: 'bundle',
          bundle: bundle.id,
          run_id,
          read_at: reconciliation.completeness.last_read_at,
          opened: claim,
        },
      ];
    });
  });
}

/** A line of now, to be completed. */
export function eventOf(claim: string, state: ClaimEvent['state']): ClaimEvent {
  return {
    schema: CLAIM_SCHEMA,
    at: formatInstant(Date.now()),
    claim,
    state,
    by: 'user',
    credited: null,
    bundle: null,
    run_id: null,
    read_at: null,
    opened: null,
  };
}
