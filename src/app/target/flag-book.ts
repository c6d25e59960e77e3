import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayClient } from '../../client/gateway-client.ts';
import { loadCredentials } from '../../config/credentials.ts';
import { parseTarget } from '../../config/target-bases.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { keepUnderHash } from '../../pricebook/archive/archive-index.ts';
import { OWN_BOOK } from '../../pricebook/archive/book-files.ts';
import { sha256Of } from '../../pricebook/read/read-price-book.ts';
import { VERSION } from '../version/version.ts';
import { isAddress } from './is-address.ts';
import { keepOwnBook } from './own-book.ts';
import { targetFailure } from './weighed-target.ts';

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

/** Names of the books in a run folder that stand in place of the target's. */
export function ownBooks(runDir: string): readonly string[] {
  const folder = join(runDir, 'books');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith(OWN_BOOK)).sort();
}

/** Those of earlier verdicts go, all but the one whose name begins so; null: none stays, the target's own book counts. */
export function dropOwnBooks(runDir: string, kept: string | null): void {
  for (const name of ownBooks(runDir))
    if (kept === null || !name.startsWith(kept)) rmSync(join(runDir, 'books', name));
}

/** The book is public: its read carries no key, which the address may know all the same. */
async function readBook(address: string, secrets: readonly string[]): Promise<Uint8Array> {
  const reading = parseTarget(address.endsWith(PATH) ? address.slice(0, -PATH.length) : address);
  if ('fault' in reading) {
    throw new WeighbridgeError({
      code: 'pricebook_invalid',
      message: `--pricebook: the address ${reading.fault}`,
      hint: `give the address of a gateway, with or without ${PATH}; fetch any other book and give its file`,
    });
  }
  const client = new GatewayClient({
    bases: reading.bases,
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
