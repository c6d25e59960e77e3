import type { GatewayClient } from '../client/gateway-client.ts';
import type { ReadFailure } from '../client/read-result.ts';
import type { UsageWindow } from '../contracts/usage-lines.ts';
import { MAX_USAGE_WINDOW_S } from '../core/time.ts';
import { type ReaderState, readerState } from './reader-state.ts';
import { sweepContext } from './sweep-context.ts';
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
  readonly state?: ReaderState | undefined;
  readonly keyFp?: string | undefined;
  readonly secondsNow?: SecondsNow | undefined;
}): Promise<RequestOutcome> {
  const { client, requestId } = request;
  const secondsNow = request.secondsNow ?? wallSeconds;
  const store = new UsageStore(request.dir, request.sweep, secondsNow, request.keyFp);
  const end = Math.floor(secondsNow()) + 60;
  const window = request.window ?? { start: end - MAX_USAGE_WINDOW_S, end };
  try {
    if (requestId.length > MAX_REQUEST_ID) {
      const reason = `request_id_too_long: ${requestId.length} characters, the filter takes ${MAX_REQUEST_ID}`;
      store.read({ read: 'request', window, request_id: requestId, purpose: 'single', reasons: [reason] });
      return { complete: false, records: 0, reasons: [reason], failure: null };
    }
    const context = sweepContext({ client, store, state: request.state ?? readerState() });
    const walk = await walkPages(context, {
      query: { window, requestId },
      read: 'request',
      purpose: 'single',
      sink: ({ readAt, currency, fresh }) =>
        store.records({ read_at: readAt, by_request_id: true, currency }, fresh),
    });
    return {
      complete: walk.complete,
      records: walk.records,
      reasons: walk.reasons,
      failure: walk.failure,
    };
  } finally {
    store.close();
  }
}
