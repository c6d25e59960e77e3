import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCredentials } from '../../config/credentials.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { PlanTarget } from '../../contracts/plan.ts';
import type { UntoldTerm } from '../../contracts/reconciliation.ts';
import type { Result } from '../../contracts/result.ts';
import { formatAmount } from '../../core/amount.ts';
import { UsageFiles } from '../../reconcile/input/load-reconcile-input.ts';
import { type Bundle, bundle } from '../../report/claims/bundle.ts';
import type { BundleBook } from '../../report/claims/bundle-input.ts';
import { aboveLeast, byCause, sumOfClaims } from '../../report/claims/claim-causes.ts';
import { APART, apartSum } from '../../report/claims/not-claimed.ts';
import { declareWords } from '../../report/claims/untold-words.ts';
import { SecretMask } from '../../secrets/secret-mask.ts';
import { targetFolder } from '../../state/target-folder.ts';
import { plural } from '../../text/plural.ts';
import { readLeastClaim } from '../folder/run-folder.ts';
import type { JudgedFolder } from '../judge/judge-folder.ts';
import { usedBooks } from '../judge/used-books.ts';
import type { Notices } from '../notices/notices.ts';
import { stateHome } from '../target/state-home.ts';
import { readClaims } from './claims-file.ts';
import { noteBundle, noteCredits, type Unclaimed, unclaimed } from './keep-claims.ts';

export interface BundleOptions {
  /** Null: `claim-<id>.zip` in the run folder, or `question-<id>.zip` where no sum is demanded. */
  readonly file: string | null;
  /** `--state`. */
  readonly state: string;
  readonly dryRun: boolean;
}

export interface WrittenBundle {
  readonly id: string;
  readonly file: string | null;
  readonly claims: number;
  /** Null where the letter asks and demands no sum. */
  readonly claimed_usd: string | null;
  /** Why it demands none; empty where it does. */
  readonly untold: readonly UntoldTerm[];
}

/**
 * Makes the bundle of a judged folder: prints what it holds and what it leaves out, then writes it and notes its claims.
 * Null where nothing is left to claim.
 */
export async function writeBundle(
  runDir: string,
  judged: JudgedFolder,
  result: Result,
  options: BundleOptions,
  notices: Notices,
): Promise<WrittenBundle | null> {
  const { reconciliation } = judged;
  const target = (judged.period ?? judged.plan)?.target;
  if (reconciliation === null || target === undefined) throw billUnread(runDir);
  const audit = { run_id: result.run_id, reconciliation };
  const home = claimsHome(target, options, notices);
  if (home !== null && !options.dryRun) await noteCredits(home, audit);
  const left = unclaimed(audit, home === null ? [] : readClaims(home));
  for (const line of beforeLines(left)) notices.err(line);
  const kept = aboveLeast(left.claimable, readLeastClaim(runDir));
  const { claims, untold, apart } = kept;
  for (const each of apart)
    notices.err(`  not claimed: ${APART[each.what]} · USD ${apartSum(each)} · ${each.words}`);
  if (claims.length === 0) {
    notices.err('No bundle was written. There is nothing to claim.');
    return null;
  }
  const usage = new UsageFiles(runDir);
  const made = bundle({
    result,
    claimable: kept,
    books: booksOf(runDir),
    reads: await usage.reads.read(),
    records: await usage.records.read(),
    mask: masking(judged, notices),
  });
  const claimed_usd = untold.length === 0 ? formatAmount(sumOfClaims(claims)) : null;
  const sum = claimed_usd === null ? declareWords(untold) : `$${claimed_usd}`;
  const causes = byCause(claims).length;
  const requests = causes === claims.length ? '' : ` of ${plural(claims.length, 'request')}`;
  notices.err(`bundle ${made.id}: ${plural(causes, made.kind)}${requests}, ${sum}`);
  for (const line of contentLines(made)) notices.err(line);
  const summary = { id: made.id, claims: claims.length, claimed_usd, untold };
  if (options.dryRun) return { ...summary, file: null };
  const file = options.file ?? join(runDir, `${made.kind}-${made.id}.zip`);
  await place(file, made.zip, async () => {
    if (home === null) notices.err('The claims were not recorded, because this target has no state folder.');
    else await noteBundle(home, audit, { id: made.id, claims });
  });
  notices.err(file);
  return { ...summary, file };
}

/** A dry run makes no folder. */
function claimsHome(target: PlanTarget, { state, dryRun }: BundleOptions, { err }: Notices): string | null {
  if (dryRun) return target.embedded || !URL.canParse(target.root) ? null : targetFolder(state, target);
  return stateHome(state, target, err);
}

function contentLines({ files, left_out }: Bundle): readonly string[] {
  return [
    '  holds:',
    ...files.map((name) => `    ${name}`),
    '  leaves out:',
    ...left_out.map((what) => `    ${what}`),
  ];
}

function beforeLines({ before }: Unclaimed): readonly string[] {
  return before.map(
    ({ claim, state, bundles, credited }) =>
      `  ${claim.demanded ? 'claimed' : 'asked'} before: ${claim.id} · $${claim.amount} · ${state}${credited === '0' ? '' : ` · $${credited} came back`} · bundle ${bundles.at(-1) ?? ''}`,
  );
}

/** Keys and tokens of the environment, and the fingerprints of the keys of the audit. */
function masking(
  { ledger, period, reconciliation }: JudgedFolder,
  { env }: Notices,
): (text: string) => string {
  const prints = [
    ...ledger.headers.map(({ key_fp }) => key_fp),
    ...(reconciliation?.calls ?? []).map(({ row }) => row?.key_fp ?? null),
    ...(period?.keys ?? []),
  ].filter((print) => print !== null);
  const mask = new SecretMask([...loadCredentials(env).secrets, ...prints], '***');
  return (text) => mask.name(text);
}

function booksOf(runDir: string): readonly BundleBook[] {
  return usedBooks(runDir).map((book) => ({
    ...book,
    bytes: readFileSync(join(runDir, 'books', book.name)),
  }));
}

/** Noted before it stands under its name: a bundle that can be sent and that nobody knows of would be claimed again. */
async function place(file: string, bytes: Uint8Array, note: () => Promise<void>): Promise<void> {
  const part = `${file}.part`;
  try {
    orBundleUnwritable(file, () => writeFileSync(part, bytes));
    await note();
    orBundleUnwritable(file, () => renameSync(part, file));
  } finally {
    rmSync(part, { force: true });
  }
}

function orBundleUnwritable(file: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'bundle_unwritable',
      message: `The bundle ${file} could not be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Give --bundle a file in a folder that you can write to.',
      cause,
    });
  }
}

export function billUnread(runDir: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'bill_unread',
    message: `The run in ${runDir} has no usage records, so its bill was not read.`,
    hint: 'Run `weighbridge reconcile --run ID` first. It reads the bill.',
  });
}
