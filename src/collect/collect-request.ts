import type { GatewayClient } from '../client/gateway-client.ts';
import type { ReadFailure } from '../client/read-result.ts';
import { MAX_USAGE_WINDOW_S } from '../core/time.ts';
import type { UsageWindow } from '../core/usage-lines.ts';
import { PageSize } from './page-size.ts';
import { type SecondsNow, UsageStore, wallSeconds } from './usage-store.ts';
import { walkPages } from './walk-pages.ts';

export interface RequestOutcome {
  readonly complete: boolean;
  readonly records: number;
  readonly reasons: readonly string[];
  readonly failure: ReadFailure | null;
}

/** interface §8. */
const MAX_REQUEST_ID = 64;

/**
 * Reads the records of one request id, which also matches a linked funding receipt (interface §4). Without a window
 * it looks at the 31 days that end in a minute from now.
 */
export async function collectRequest(request: {
  readonly client: GatewayClient;
  readonly dir: string;
  readonly sweep: number;
  readonly requestId: string;
  readonly window?: UsageWindow | undefined;
  readonly secondsNow?: SecondsNow | undefined;
}): Promise<RequestOutcome> {
  const { client, requestId } = request;
  const secondsNow = request.secondsNow ?? wallSeconds;
  const store = new UsageStore(request.dir, request.sweep, secondsNow);
  const end = Math.floor(secondsNow()) + 60;
  const window = request.window ?? { start: end - MAX_USAGE_WINDOW_S, end };
  if (requestId.length > MAX_REQUEST_ID) {
    const reason = `request_id_too_long: ${requestId.length} characters, the filter takes ${MAX_REQUEST_ID}`;
    store.read({ read: 'request', window, request_id: requestId, reasons: [reason] });
    return { complete: false, records: 0, reasons: [reason], failure: null };
  }
  const walk = await walkPages(client, store, { window, requestId }, new PageSize(), 'request');
  store.records(walk.records, true);
  return {
    complete: walk.complete,
    records: walk.records.length,
    reasons: walk.reasons,
    failure: walk.failure,
  };
}
