import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../http/api-error.ts';
import type { Gateway } from '../../parts/gateway.ts';
import { requestKey } from '../../requests/request-key.ts';
import { requireKey } from '../../requests/require-key.ts';
import { unixSeconds } from '../../time/clock.ts';
import { accountOf, keysOfAccount } from './account-of.ts';
import { logPage, numbered, selectedRows } from './log-query.ts';
import { CHARGE_ROW, logRows } from './log-rows.ts';
import { TOO_MANY_READS } from './refusals.ts';

/** Rows that a key may read of itself. */
const MOST_ROWS = 1000;
const READS = 20;
const PER_MS = 20 * 60_000;
const MINUTE_S = 60;

/** The log by access token, in pages, and by key, the newest rows alone. */
export function logReads(app: FastifyInstance, gateway: Gateway): void {
  const { registry, clock, dialect } = gateway;
  app.get('/api/log/self', async (request) => {
    const account = accountOf(registry, request.headers);
    const rows = logRows(gateway, keysOfAccount(registry, account));
    return { success: true, message: '', data: logPage(rows, request.query) };
  });
  app.get('/api/log/self/stat', async (request) => {
    const account = accountOf(registry, request.headers);
    const rows = logRows(gateway, keysOfAccount(registry, account)).filter(({ type }) => type === CHARGE_ROW);
    // Refunds are not taken off, whatever type is asked for.
    const found = selectedRows(rows, { ...asObject(request.query), type: undefined });
    const since = unixSeconds(clock.wallMs()) - MINUTE_S;
    const latest = rows.filter(({ created_at }) => created_at >= since);
    const tokens = latest.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0);
    const quota = found.reduce((sum, row) => sum + row.quota, 0);
    return { success: true, message: '', data: { quota, rpm: latest.length, tpm: tokens } };
  });
  const limit = dialect?.switches.has('read-limit') === true ? new ReadLimit() : null;
  app.get('/api/log/token', { onRequest: requireKey(gateway) }, async (request) => {
    limit?.take(clock.wallMs());
    const rows = logRows(gateway, [requestKey(request)]).slice(0, MOST_ROWS);
    return { success: true, message: '', data: numbered(rows) };
  });
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** So many reads in any such time. */
class ReadLimit {
  #taken: readonly number[] = [];

  /** Throws ApiError 429 above it. */
  take(now_ms: number): void {
    this.#taken = this.#taken.filter((taken) => now_ms - taken < PER_MS);
    if (this.#taken.length >= READS)
      throw new ApiError({ status: 429, code: TOO_MANY_READS, message: 'Too many reads' });
    this.#taken = [...this.#taken, now_ms];
  }
}
