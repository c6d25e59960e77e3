import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayClient } from '../client/gateway-client.ts';
import type { ReadResult } from '../client/read-result.ts';
import { type SecondsNow, UsageStore, wallSeconds } from './usage-store.ts';
import { describeFailure } from './walk-pages.ts';

/** Where a run folder keeps the book with this hash. */
export function bookPath(dir: string, sha256: string): string {
  return join(dir, 'books', `${sha256}.json`);
}

/** Reads the price book and keeps its bytes as served under their hash. The result's `bytes` are the book. */
export async function collectBook(request: {
  readonly client: GatewayClient;
  readonly dir: string;
  readonly sweep: number;
  readonly secondsNow?: SecondsNow | undefined;
}): Promise<ReadResult<string>> {
  const store = new UsageStore(request.dir, request.sweep, request.secondsNow ?? wallSeconds);
  const result = await request.client.priceBook();
  if (!result.ok) {
    store.read({ read: 'book', status: result.status, reasons: [`book_failed: ${describeFailure(result)}`] });
    return result;
  }
  const path = bookPath(request.dir, result.sha256);
  if (!existsSync(path)) {
    mkdirSync(join(request.dir, 'books'), { recursive: true });
    // Renamed into place: a half-written book under a hash would be a lie.
    writeFileSync(`${path}.part`, result.bytes);
    renameSync(`${path}.part`, path);
  }
  store.read({ read: 'book', status: result.status, sha256: result.sha256 });
  return result;
}
