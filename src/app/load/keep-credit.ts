import type { ReadFailure, ReadResult } from '../../client/read-result.ts';
import type { Credentials } from '../../config/credentials.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { AccountRecord } from '../../contracts/interface.ts';
import type { Drive } from '../../drive/start-drive.ts';
import type { Notices } from '../notices/notices.ts';
import { targetFailure } from '../target/target-failure.ts';

/** Time between two reads of the account. */
const EVERY_MS = 2_000;
/** What cannot be read for so long cannot be kept. */
const BLIND_MS = 30_000;

/** Watches the account's remaining quota, in its own units: nothing tells what one of them is worth in USD. */
export interface KeptCredit {
  /** Halts this drive when too little is left, at once if it is so already; returns what lets go of it. */
  guard(drive: Pick<Drive, 'halt'>): () => void;
  /** True once too little was left. */
  spent(): boolean;
  close(): void;
}

export interface KeepCreditOptions {
  readonly client: { account(): Promise<ReadResult<AccountRecord>> };
  /** Of the quota at the start, 0 to 1. */
  readonly share: number;
  readonly notices: Pick<Notices, 'err'>;
  readonly everyMs?: number;
  readonly blindMs?: number;
}

/** Throws `credential_missing` (exit 2) where the account cannot be read with what is given. */
export function needAccount({ accessToken, userId }: Pick<Credentials, 'accessToken' | 'userId'>): void {
  const missing = [
    ...(accessToken === null ? ['WEIGHBRIDGE_ACCESS_TOKEN'] : []),
    ...(userId === null ? ['WEIGHBRIDGE_USER_ID'] : []),
  ];
  if (missing.length === 0) return;
  throw new WeighbridgeError({
    code: 'credential_missing',
    message: `--keep-credit reads the account, which needs ${missing.join(' and ')}.`,
    hint: `Set ${missing.join(' and ')}, or the variable with _FILE to a path. Or leave out --keep-credit and limits.keep_credit.`,
  });
}

/** Reads the quota once, then every few seconds. Throws what ends a command (exit 3) where the first read fails. */
export async function keepCredit(options: KeepCreditOptions): Promise<KeptCredit> {
  const { client, share, notices, everyMs = EVERY_MS, blindMs = BLIND_MS } = options;
  const first = await client.account();
  if (!first.ok) throw targetFailure('GET /api/user/self', first);
  const least = first.body.quota * share;
  notices.err(
    `The run stops before the account's quota of ${first.body.quota} units falls below ${share} of it.`,
  );
  const drives = new Set<Pick<Drive, 'halt'>>();
  let why: string | null = null;
  let readAt = performance.now();
  let timer: NodeJS.Timeout;
  const stop = (reason: string): void => {
    why = reason;
    notices.err(`${reason}. No further calls are started.`);
    for (const drive of drives) drive.halt('credit_kept');
  };
  const look = async (): Promise<void> => {
    const read = await client.account();
    if (closed || why !== null) return;
    if (read.ok) readAt = performance.now();
    const reason = read.ok
      ? tooLittle(read.body.quota, least)
      : tooBlind(read, performance.now() - readAt, blindMs);
    if (reason === null) wait();
    else stop(reason);
  };
  let closed = false;
  const wait = (): void => {
    timer = setTimeout(() => void look(), everyMs);
  };
  wait();
  return {
    guard: (drive) => {
      drives.add(drive);
      if (why !== null) drive.halt('credit_kept');
      return () => drives.delete(drive);
    },
    spent: () => why !== null,
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function tooLittle(quota: number, least: number): string | null {
  return quota < least ? `${quota} units of quota are left, and ${least} are to be kept` : null;
}

function tooBlind(failure: ReadFailure, blindFor: number, blindMs: number): string | null {
  if (blindFor < blindMs) return null;
  return `the account could not be read for ${Math.round(blindFor / 1000)} s (${failure.message}), so its quota cannot be kept`;
}
