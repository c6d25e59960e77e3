import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Dialect } from '../../contracts/dialect.ts';
import type { AccountRecord } from '../../contracts/interface.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import type { ReadFailure, ReadOk, ReadResult } from '../read-result.ts';
import type { UsagePageFrame } from '../wire-schemas.ts';

/** interface §1: the three bases, without a slash at the end. */
export interface GatewayBases {
  readonly root: string;
  readonly v1: string;
  readonly api: string;
}

/** interface §4: the window is always explicit, because the default end (now) moves between pages. */
export interface UsageQuery {
  readonly window: UsageWindow;
  readonly model?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface UsagePageQuery extends UsageQuery {
  /** Null asks for the target's own page size. */
  readonly limit: number | null;
  readonly before: string | null;
}

/** `key` is the API key, `account` the system access token with its user. */
export type Credential = 'none' | 'key' | 'account';

/** How a dialect reads: what comes back is without our credentials, and no failure is thrown. */
export interface FreeReads {
  readonly bases: GatewayBases;
  /** Whether the account's token is there to read with. */
  readonly hasAccount: boolean;
  /** SHA-256 of the API key in hex, as some gateways name a key in their rows; null without one. */
  readonly keyHash: string | null;
  json<T>(url: string, credential: Credential, schema: z.ZodType<T>): Promise<ReadResult<T>>;
  text(url: string, credential: Credential): Promise<ReadResult<string>>;
  /** Status and one header of an answer, asked with the key where there is one; null for what did not come. */
  look(
    url: string,
    header: string,
  ): Promise<{ readonly status: number | null; readonly header: string | null }>;
}

/** Where a dialect serves each document, as messages name it. */
export interface DialectPaths {
  readonly book: string;
  readonly records: string;
  readonly account: string;
}

/**
 * The free reads of a bill in one dialect. Records and totals come out as interface §2 has them. What a dialect lacks is a
 * failure with status 404, as a gateway of the interface would give it.
 */
export interface BillReader {
  readonly name: Dialect;
  readonly paths: DialectPaths;
  /** `counts`: totals tell how many records there are, and no sums. */
  readonly totals: 'sums' | 'counts';
  priceBook(reads: FreeReads): Promise<ReadResult<string>>;
  usageTotals(reads: FreeReads, query: UsageQuery): Promise<ReadResult<Readonly<Record<string, unknown>>>>;
  usageRequests(reads: FreeReads, query: UsagePageQuery): Promise<ReadResult<UsagePageFrame>>;
  account(reads: FreeReads): Promise<ReadResult<AccountRecord>>;
}

/** The same answer with the body that a dialect made of it. Only that is kept: the rest of a row may be private. */
export function translated<T>(answer: ReadOk<unknown>, body: T): ReadOk<T> {
  const bytes = Buffer.from(JSON.stringify(body));
  return { ...answer, body, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** A read that the dialect does not have. */
export function notOffered(message: string): ReadFailure {
  return {
    ok: false,
    status: 404,
    code: 'not_offered',
    message,
    retryAfterS: null,
    errorType: '_OTHER',
    requestId: null,
  };
}

/** What was served, though not as the dialect says. */
export function unlike(answer: ReadOk<unknown>, message: string): ReadFailure {
  return {
    ok: false,
    status: answer.status,
    code: null,
    message,
    retryAfterS: null,
    errorType: 'schema_mismatch',
    requestId: answer.requestId,
  };
}
