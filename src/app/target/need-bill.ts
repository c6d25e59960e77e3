import type { GatewayClient } from '../../client/gateway-client.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** With these a target says that it has no such endpoint. */
const NO_ENDPOINT: readonly (number | null)[] = [404, 405, 501];
const WINDOW_S = 3_600;

/**
 * Reads one usage record. Throws `no_bill` (exit 2) where the target has none to read. Whatever else keeps a record from
 * being read now may have passed when the calls are made.
 */
export async function needBill(client: Pick<GatewayClient, 'usageRequests'>): Promise<void> {
  const end = Math.floor(Date.now() / 1000) + 1;
  const read = await client.usageRequests({
    window: { start: end - WINDOW_S, end },
    limit: 1,
    before: null,
  });
  if (read.ok || !NO_ENDPOINT.includes(read.status)) return;
  throw new WeighbridgeError({
    code: 'no_bill',
    message: `GET /v1/usage/requests: expected the usage records that an audit judges, found HTTP ${read.status}: ${read.message}; nothing was sent that is paid`,
    hint: 'weighbridge run drives the same load and measures it without a bill; if the target has one, check its address (--target takes the root, /v1 or /api form)',
  });
}
