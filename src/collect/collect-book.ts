import { join } from 'node:path';
import type { GatewayClient } from '../client/gateway-client.ts';
import type { ReadResult } from '../client/read-result.ts';
import { type BookArchive, keepUnderHash } from '../pricebook/archive/archive-index.ts';
import { type SecondsNow, UsageStore, wallSeconds } from './usage-store.ts';
import { describeFailure, maskedWords } from './walk-pages.ts';

/** Where a run folder keeps the book with this hash. */
export function bookPath(dir: string, sha256: string): string {
  return join(dir, 'books', `${sha256}.json`);
}

/**
 * Reads the price book and keeps its bytes as served under their hash, in the run folder and in the archive of the
 * target. The result's `bytes` are the book. Throws `book_corrupt` (exit 2) where the file of the hash holds others.
 */
export async function collectBook(request: {
  readonly client: GatewayClient;
  readonly dir: string;
  readonly sweep: number;
  readonly secondsNow?: SecondsNow | undefined;
  readonly archive?: BookArchive | undefined;
}): Promise<ReadResult<string>> {
  const store = new UsageStore(request.dir, request.sweep, request.secondsNow ?? wallSeconds);
  const result = await request.client.priceBook();
  if (!result.ok) {
    const reasons = [`book_failed: ${describeFailure(result)}`];
    store.read({ read: 'book', status: result.status, answer_request_id: result.requestId, reasons });
    store.close();
    return result;
  }
  const { status, sha256, requestId } = result;
  keepUnderHash(join(request.dir, 'books'), sha256, result.bytes);
  const { masked } = result;
  request.archive?.see({ what: 'book', sha256, at: store.instant(), content: result.bytes, masked });
  const reasons = maskedWords(result);
  store.read({ read: 'book', status, sha256, answer_request_id: requestId, reasons });
  store.close();
  return result;
}
