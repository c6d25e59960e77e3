import type { GatewayClient } from '../../client/gateway-client.ts';
import { collectRequest } from '../../collect/collect-request.ts';
import type { ReaderState } from '../../collect/reader-state.ts';
import type { SuspenseItem } from '../../contracts/suspense.ts';
import { MAX_USAGE_WINDOW_S, parseInstant } from '../../core/time.ts';

/** At most this many reads: what is left comes with the next run. */
const MOST_READS = 20;
/** A record may be dated by the settlement, which comes later than the call. */
const BEFORE_S = 60;

/**
 * Reads by request id the records of what earlier runs left open and nothing of this run has settled, the oldest first.
 * Gives how many were asked for.
 */
export async function readOpenItems(reading: {
  readonly client: GatewayClient;
  readonly runDir: string;
  readonly sweep: number;
  readonly state: ReaderState;
  readonly keyFp?: string | undefined;
  readonly runId: string;
  /** The suspense account as it stands now. */
  readonly items: readonly SuspenseItem[];
  readonly interrupted: () => boolean;
}): Promise<number> {
  const { client, runDir, sweep, state, keyFp, runId, items, interrupted } = reading;
  const wanted = items
    .filter(
      ({ first_run, request_id, state: now }) =>
        first_run !== runId && request_id !== null && now !== 'cleared',
    )
    .toSorted((left, right) => ((left.since ?? '') < (right.since ?? '') ? -1 : 1))
    .slice(0, MOST_READS);
  let asked = 0;
  for (const { request_id, since } of wanted) {
    if (request_id === null || interrupted()) continue;
    const ms = since === null ? null : parseInstant(since);
    const start = ms === null ? null : Math.floor(ms / 1000) - BEFORE_S;
    const now = Math.floor(Date.now() / 1000);
    const window =
      start === null ? undefined : { start, end: Math.min(start + MAX_USAGE_WINDOW_S, now + BEFORE_S) };
    await collectRequest({ client, dir: runDir, sweep, requestId: request_id, window, state, keyFp });
    asked += 1;
  }
  return asked;
}
