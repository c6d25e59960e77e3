import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { GatewayClient } from '../../client/gateway-client.ts';
import { loadCredentials } from '../../config/credentials.ts';
import type { ErrorCode } from '../../contracts/errors/error-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { keepUnderHash } from '../../pricebook/archive/archive-index.ts';
import { MAPPING_FILE, OWN_BOOK } from '../../pricebook/archive/book-files.ts';
import { type Mapping, readMapping } from '../../pricebook/read/mapping-file.ts';
import { readPriceBook, sha256Of } from '../../pricebook/read/read-price-book.ts';
import { unreadReason } from '../folder/folder-file.ts';
import { readBilling } from '../folder/run-folder.ts';
import { VERSION } from '../version/version.ts';
import { flagBases, isAddress } from './flag-address.ts';
import { targetFailure } from './target-failure.ts';

const PATH = '/pricing.usd.json';
const READ_TIMEOUT_MS = 10_000;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The book of `--pricebook` in place of the target's: a file, or the address of a gateway. The run folder gets a copy, and
 * one that an earlier verdict was given goes. Throws `book_missing`, `book_unreadable` and `pricebook_invalid`
 * (exit 2), or as a read does.
 */
export async function keepFlagBook(runDir: string, book: string, env: Env): Promise<void> {
  const bytes = isAddress(book) ? await readBook(book, loadCredentials(env).secrets) : null;
  const folder = join(runDir, 'books');
  const kept = bytes ?? keepOwnBook(runDir, book);
  const own = `${OWN_BOOK}${sha256Of(kept)}`;
  if (bytes !== null) keepUnderHash(folder, own, bytes);
  dropOwnBooks(runDir, own);
}

/**
 * Bytes of a price book that a command names: a file, or the address of a gateway. Throws `book_missing` and
 * `pricebook_invalid` (exit 2), or as a read does.
 */
export async function readGivenBook(book: string, env: Env): Promise<Uint8Array> {
  if (isAddress(book)) return readBook(book, loadCredentials(env).secrets);
  return readInput('book_missing', 'a price list', book);
}

/** Throws `mapping_invalid` or `mapping_missing` (exit 2). */
export function readGivenMapping(file: string): Mapping {
  const bytes = readInput('mapping_missing', 'a mapping file', file);
  return readMapping(new TextDecoder().decode(bytes), file);
}

/** Names of the books in a run folder that stand in place of the target's. */
export function ownBooks(runDir: string): readonly string[] {
  const folder = join(runDir, 'books');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith(OWN_BOOK)).sort();
}

/**
 * Removes the books of earlier verdicts but the one whose name begins with `kept`; null: all, so that the target's own
 * book counts.
 */
export function dropOwnBooks(runDir: string, kept: string | null): void {
  for (const name of ownBooks(runDir))
    if (kept === null || !name.startsWith(kept)) rmSync(join(runDir, 'books', name));
}

/** The book is public: its read carries no key, which the address may know all the same. */
async function readBook(address: string, secrets: readonly string[]): Promise<Uint8Array> {
  const root = address.endsWith(PATH) ? address.slice(0, -PATH.length) : address;
  const hint = `Give the address of a gateway, with or without ${PATH}. Download any other price list and give its path.`;
  const bases = flagBases('--pricebook', 'pricebook_invalid', root, hint);
  const client = new GatewayClient({
    bases,
    secrets,
    timeoutMs: READ_TIMEOUT_MS,
    userAgent: `weighbridge/${VERSION}`,
  });
  try {
    const result = await client.priceBook();
    if (!result.ok) throw targetFailure(`GET ${PATH}`, result);
    return result.bytes;
  } finally {
    await client.close();
  }
}

/**
 * Copies a price book of the user's into the run folder, so that a later judgement rests on the same. Gives its bytes.
 * Throws `book_missing` and `book_unreadable` (exit 2).
 */
export function keepOwnBook(runDir: string, file: string): Uint8Array {
  const bytes = readInput('book_missing', 'a price list', file);
  refuseUnreadable(runDir, bytes, file);
  const extension = { '.csv': 'csv', '.yaml': 'yaml', '.yml': 'yaml' }[extname(file)] ?? 'json';
  keepUnderHash(join(runDir, 'books'), `${OWN_BOOK}${sha256Of(bytes)}`, bytes, extension);
  return bytes;
}

/** Copies a mapping file into the run folder. Throws `mapping_invalid` or `mapping_missing` (exit 2). */
export function keepMapping(runDir: string, file: string): Mapping {
  const mapping = readGivenMapping(file);
  mkdirSync(join(runDir, 'books'), { recursive: true });
  copyFileSync(file, join(runDir, 'books', MAPPING_FILE));
  return mapping;
}

/** Throws where the book cannot be read: its owner can correct it, and no verdict is made without it. */
function refuseUnreadable(runDir: string, bytes: Uint8Array, file: string): void {
  const stored = join(runDir, 'books', MAPPING_FILE);
  const mapping = existsSync(stored) ? readMapping(readFileSync(stored, 'utf8'), stored) : null;
  const reading = readPriceBook(bytes, { adapter: readBilling(runDir).book.adapter, mapping });
  if (!('unreadable' in reading)) return;
  throw new WeighbridgeError({
    code: 'book_unreadable',
    message: `The price list ${file} cannot be read: ${reading.unreadable.join('; ')}.`,
    hint: 'Correct the file. docs/pricebooks.md shows the known layouts. For any other, write a mapping and name it as billing.book.mapping.',
  });
}

function readInput(code: ErrorCode, what: string, file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new WeighbridgeError({
      code,
      message: `Weighbridge cannot read ${what} at ${file}: ${unreadReason(cause)}.`,
      hint: 'Correct --pricebook, or billing.book in the configuration. Its paths start from the folder of weighbridge.yaml.',
      cause,
    });
  }
}
