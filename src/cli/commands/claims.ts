import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { Argument, InvalidArgumentError } from 'commander';
import { appendClaims, CLAIMS_FILE, readClaims, type StoredClaim } from '../../app/carry-over/claims-file.ts';
import { eventOf } from '../../app/carry-over/keep-claims.ts';
import { flagRoot } from '../../app/target/flag-address.ts';
import { nearestName } from '../../config/nearest-name.ts';
import { CLAIM_STATES, type ClaimState } from '../../contracts/claim.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { targetFolder } from '../../state/target-folder.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ClaimsFlags {
  readonly target?: string;
  readonly state: string;
  readonly json?: boolean;
}

/** `weighbridge claims`. */
export function claimsCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('claims')
    .addArgument(new Argument('[state]', 'what became of them').choices(CLAIM_STATES).argParser(stateOf))
    .argument('[ids...]', 'ids of bundles or of claims')
    .description(
      'claims made by bundles: lists them, or notes what became of some; what was credited is never claimed again',
    )
    .option('--target <url>', 'only the claims on this gateway')
    .option('--state <dir>', 'parent of what outlives a run, one folder a target', DEFAULT_STATE)
    .option('--json', 'for programs: each claim with its state')
    .action(async (state: ClaimState | undefined, ids: readonly string[], flags: ClaimsFlags) => {
      const folders = foldersOf(flags);
      if (state !== undefined) await noteState(folders, state, ids);
      const targets = folders.map((folder) => ({ target: basename(folder), claims: readClaims(folder) }));
      printAnswer(terminal, flags.json, { targets }, () =>
        targets.length === 0 ? ['no claims'] : targets.flatMap(targetLines),
      );
      finish(EXIT.ok);
    });
}

function stateOf(text: string): ClaimState {
  const known = CLAIM_STATES.find((state) => state === text);
  if (known !== undefined) return known;
  throw new InvalidArgumentError(`expected one of ${CLAIM_STATES.join(', ')}, found ${text}`);
}

/** Folders of targets under `--state` that hold claims. */
function foldersOf({ target, state }: ClaimsFlags): readonly string[] {
  const all =
    target === undefined
      ? (existsSync(state) ? readdirSync(state) : []).sort().map((name) => join(state, name))
      : [targetFolder(state, { root: flagRoot(target) })];
  return all.filter((folder) => existsSync(join(folder, CLAIMS_FILE)));
}

async function noteState(
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
    message: `expected the id of a bundle or of a claim, found ${found}`,
    hint: near === null ? '`weighbridge claims` lists them' : `did you mean ${near}?`,
  });
}

function claimFinal({ claim }: StoredClaim): WeighbridgeError {
  return new WeighbridgeError({
    code: 'claim_credited',
    message: `expected a claim that is still to be settled, found ${claim.id}, which was credited`,
    hint: 'what was credited is never claimed again',
  });
}

interface TargetClaims {
  readonly target: string;
  readonly claims: readonly StoredClaim[];
}

function targetLines({ target, claims }: TargetClaims): readonly string[] {
  const sums = CLAIM_STATES.map((state) => {
    const own = claims.filter((each) => each.state === state);
    const sum = own.reduce((total, { claim }) => total + (parseAmount(claim.amount) ?? 0n), 0n);
    return `${state} ${own.length} ($${formatAmount(sum)})`;
  });
  return [
    `${target}: ${sums.join(' · ')}`,
    ...[...Map.groupBy(claims, ({ bundles }) => bundles.at(-1))].flatMap(([bundle, own]) => [
      `  bundle ${bundle ?? ''} of ${own[0]?.run_id ?? ''}${own.every(({ claim }) => claim.demanded) ? '' : ', which asks and demands no sum'}`,
      ...own.map(claimLine),
    ]),
  ];
}

function claimLine({ claim, state, credited, changed_at }: StoredClaim): string {
  const back = credited === '0' ? '' : ` · $${credited} came back`;
  const about = claim.request_id ?? claim.records.map(({ id }) => id).join(' ');
  return `    ${claim.id}  ${state.padEnd(8)}  $${claim.amount}  ${claim.class}  ${about}  ${changed_at}${back}`;
}
