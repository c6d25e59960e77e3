import { basename } from 'node:path';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { awaitedOf, claimFolders, noteClaimState } from '../../app/carry-over/claim-states.ts';
import { readClaims, type StoredClaim } from '../../app/carry-over/claims-file.ts';
import { CLAIM_STATES, type ClaimState } from '../../contracts/claim.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { plural } from '../../text/plural.ts';
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
    .addArgument(new Argument('[state]', 'new state of the claims').choices(CLAIM_STATES).argParser(stateOf))
    .argument('[ids...]', 'ids of bundles or of claims')
    .description(
      'List your refund claims, or record what became of them. A credited amount is never claimed again.',
    )
    .option('--target <url>', 'list only the claims for this gateway')
    .option(
      '--state <dir>',
      'folder for data that is kept between runs, one subfolder for each target',
      DEFAULT_STATE,
    )
    .option('--json', 'print each claim with its state as JSON')
    .action(async (state: ClaimState | undefined, ids: readonly string[], flags: ClaimsFlags) => {
      const folders = claimFolders(flags.state, flags.target);
      if (state !== undefined) await noteClaimState(folders, state, ids);
      const targets = folders.map((folder) => ({
        target: basename(folder),
        claims: readClaims(folder),
        awaited: awaitedOf(folder),
      }));
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

interface TargetClaims {
  readonly target: string;
  readonly claims: readonly StoredClaim[];
  readonly awaited: ReturnType<typeof awaitedOf>;
}

function targetLines({ target, claims, awaited }: TargetClaims): readonly string[] {
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
    ...(awaited === null ? [] : [awaitedLine(awaited)]),
  ];
}

function claimLine({ claim, state, credited, changed_at }: StoredClaim): string {
  const back = credited === '0' ? '' : ` · $${credited} came back`;
  const about = claim.request_id ?? claim.records.map(({ id }) => id).join(' ');
  return `    ${claim.id}  ${state.padEnd(8)}  $${claim.amount}  ${claim.class}  ${about}  ${changed_at}${back}`;
}

function awaitedLine({ charges, can }: NonNullable<TargetClaims['awaited']>): string {
  const when = can === '' ? '' : `; ${can}`;
  return `  awaited: ${plural(charges, 'charge')} that may still settle or be refunded in time${when}`;
}
