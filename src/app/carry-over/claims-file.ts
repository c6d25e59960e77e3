import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CLAIM_SCHEMA,
  type Claim,
  type ClaimEvent,
  type ClaimState,
  claimEvent,
} from '../../contracts/claim.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { JournalTail } from '../../state/journal-tail.ts';
import { nodeDisk } from '../../state/node-disk.ts';
import type { JournalRead } from '../../state/read-journal.ts';
import { orUnwritable } from '../../state/state-failure.ts';
import { jsonOf } from '../../text/json-of.ts';
import { whileStateLocked } from '../folder/locks.ts';

export const CLAIMS_FILE = 'claims.ndjson';

/** A claim with what became of it. */
export interface StoredClaim {
  readonly claim: Claim;
  readonly state: ClaimState;
  /** The bundles that it was written into, the last one last. */
  readonly bundles: readonly string[];
  readonly run_id: string | null;
  /** When the audit that claims it last read: what was read before shows nothing of a credit. */
  readonly read_at: string | null;
  /** What came back so far, USD. */
  readonly credited: string;
  readonly changed_at: string;
}

/** The claims of a target, in the order in which they were first made. Throws `claims_corrupt` (exit 2) with file and line. */
export function readClaims(targetDir: string): readonly StoredClaim[] {
  const file = join(targetDir, CLAIMS_FILE);
  return claimsOf(file, wholeLines(file).text);
}

function claimsOf(file: string, text: string): readonly StoredClaim[] {
  const claims = new Map<string, StoredClaim>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const parsed = claimEvent.safeParse(jsonOf(line));
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw corrupt(file, index + 1, `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? ''}`);
    }
    const after = afterEvent(claims.get(parsed.data.claim), parsed.data);
    if (after === null)
      throw corrupt(file, index + 1, `a claim ${parsed.data.claim} that no line before opens`);
    claims.set(parsed.data.claim, after);
  }
  return [...claims.values()];
}

interface WholeLines {
  readonly text: string;
  /** Bytes of the file that stay. */
  readonly end: number;
  /** Bytes behind them: of a line that was being written when the disk was full or the process died, and that nobody relied on. */
  readonly torn: number;
}

function wholeLines(file: string): WholeLines {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const ended = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const tail = bytes.subarray(ended.length).toString('utf8');
  // An editor may have left the last line without its end.
  const isTorn = tail !== '' && !claimEvent.safeParse(jsonOf(tail)).success;
  const whole = isTorn ? ended : bytes;
  return { text: whole.toString('utf8'), end: whole.length, torn: bytes.length - whole.length };
}

/** Adds what `events` makes of the claims as they stand, while no other command writes. On the disk when it resolves. */
export async function appendClaims(
  targetDir: string,
  events: (claims: readonly StoredClaim[]) => readonly ClaimEvent[],
): Promise<void> {
  const file = join(targetDir, CLAIMS_FILE);
  await whileStateLocked(`${file}.lock`, async () => {
    const { text: before, end, torn } = wholeLines(file);
    const added = events(claimsOf(file, before)).map((line) => `${JSON.stringify(line)}\n`);
    if (added.length === 0) return;
    await orUnwritable(
      file,
      append(file, { end, lines: 0, torn }, [...(isEnded(before) ? [] : ['\n']), ...added]),
    );
  });
}

async function append(file: string, read: JournalRead, lines: readonly string[]): Promise<void> {
  const tail = await JournalTail.open(file, nodeDisk, read);
  try {
    await tail.write(lines);
  } catch (cause) {
    await tail.takeBack().catch(() => {});
    throw cause;
  } finally {
    await tail.close();
  }
}

function isEnded(text: string): boolean {
  return text === '' || text.endsWith('\n');
}

function afterEvent(before: StoredClaim | undefined, line: ClaimEvent): StoredClaim | null {
  const held = line.opened ?? before?.claim;
  if (held === undefined) return null;
  const whole = parseAmount(held.amount) ?? 0n;
  const back = line.credited ?? (line.state === 'credited' ? held.amount : '0');
  // Opened again it is a claim of what is left.
  const earlier = line.opened === null ? (before?.credited ?? '0') : '0';
  const sum = (parseAmount(earlier) ?? 0n) + (parseAmount(back) ?? 0n);
  const credited = sum < whole ? sum : whole;
  // A part that came back leaves the rest as it was.
  const partly = line.state === 'credited' && credited < whole;
  return {
    claim: held,
    state: partly ? (before?.state ?? 'open') : line.state,
    bundles: [...(before?.bundles ?? []), ...(line.bundle === null ? [] : [line.bundle])],
    run_id: line.opened === null ? (before?.run_id ?? null) : line.run_id,
    read_at: line.opened === null ? (before?.read_at ?? null) : line.read_at,
    credited: formatAmount(credited),
    changed_at: line.at,
  };
}

function corrupt(file: string, line: number, found: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'claims_corrupt',
    message: `${file}:${line} is not a line of ${CLAIM_SCHEMA}: ${found}.`,
    hint: 'Restore the line as it was written.',
  });
}
