import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nearestName } from '../../config/nearest-name.ts';
import type { ClaimState } from '../../contracts/claim.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { claimableFrom } from '../../report/claims/not-claimed.ts';
import { targetFolder } from '../../state/target-folder.ts';
import { openItems } from '../folder/suspense-file.ts';
import { flagRoot } from '../target/flag-address.ts';
import { appendClaims, CLAIMS_FILE, readClaims, type StoredClaim } from './claims-file.ts';
import { eventOf } from './keep-claims.ts';

/** Charges of a target that may still come right; null where there are none. `can`: from when they can be claimed. */
export function awaitedOf(folder: string): { readonly charges: number; readonly can: string } | null {
  const items = openItems(folder);
  return items.length === 0 ? null : { charges: items.length, can: claimableFrom(items).replace(/^; /, '') };
}

/** Folders of targets under `state` that hold claims, or charges of which one may come; `target`: that of one gateway alone. */
export function claimFolders(state: string, target: string | undefined): readonly string[] {
  const all =
    target === undefined
      ? (existsSync(state) ? readdirSync(state) : []).sort().map((name) => join(state, name))
      : [targetFolder(state, { root: flagRoot(target) })];
  return all.filter((folder) => existsSync(join(folder, CLAIMS_FILE)) || openItems(folder).length > 0);
}

/**
 * Notes what became of claims, named by their ids or those of their bundles. Throws `claim_not_found` and `claim_credited`
 * (exit 2); then nothing was noted.
 */
export async function noteClaimState(
  folders: readonly string[],
  state: ClaimState,
  ids: readonly string[],
): Promise<void> {
  const held = folders.map((folder) => ({ folder, claims: readClaims(folder) }));
  const known = held.flatMap(({ claims }) => claims.flatMap(({ claim, bundles }) => [claim.id, ...bundles]));
  const unknown = ids.find((id) => !known.includes(id));
  if (ids.length === 0 || unknown !== undefined) throw claimUnknown(unknown ?? 'none', known);
  for (const { claims } of held) {
    const named = namedBy(claims, ids);
    const final = named.find((each) => each.state === 'credited');
    // Only a bundle may hold a credited claim beside others that are not.
    if (final !== undefined && state !== 'credited' && ids.includes(final.claim.id)) throw claimFinal(final);
  }
  for (const { folder } of held) {
    await appendClaims(folder, (claims) =>
      namedBy(claims, ids)
        .filter((each) => each.state !== state && each.state !== 'credited')
        .map((each) => ({
          ...eventOf(each.claim.id, state),
          ...(state === 'credited' ? { credited: restOf(each) } : {}),
        })),
    );
  }
}

function namedBy(claims: readonly StoredClaim[], ids: readonly string[]): readonly StoredClaim[] {
  return claims.filter(({ claim, bundles }) => [claim.id, ...bundles].some((id) => ids.includes(id)));
}

function restOf({ claim, credited }: StoredClaim): string {
  return formatAmount((parseAmount(claim.amount) ?? 0n) - (parseAmount(credited) ?? 0n));
}

function claimUnknown(found: string, known: readonly string[]): WeighbridgeError {
  const near = nearestName(found, [...new Set(known)]);
  return new WeighbridgeError({
    code: 'claim_not_found',
    message: `There is no bundle and no claim with the id ${found}.`,
    hint: near === null ? 'Give an id that `weighbridge claims` lists.' : `Did you mean ${near}?`,
  });
}

function claimFinal({ claim }: StoredClaim): WeighbridgeError {
  return new WeighbridgeError({
    code: 'claim_credited',
    message: `The claim ${claim.id} was already credited.`,
    hint: 'You need to do nothing. A credited amount is never claimed again.',
  });
}
