import type { GatewayClient } from '../../client/gateway-client.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** Statuses that say there is no such endpoint. */
export const NO_ENDPOINT: readonly (number | null)[] = [404, 405, 501];
export const REFUSED: readonly (number | null)[] = [401, 403];
const WINDOW_S = 3_600;

/** The answer to the read of one usage record: it shows whether there is a bill. */
export type BillRead = Awaited<ReturnType<GatewayClient['usageRequests']>>;

export function readBill(client: Pick<GatewayClient, 'usageRequests'>): Promise<BillRead> {
  const end = Math.floor(Date.now() / 1000) + 1;
  return client.usageRequests({ window: { start: end - WINDOW_S, end }, limit: 1, before: null });
}

/** True where the target has no usage records for us. What else keeps a record from being read now may pass. */
export function isWithoutRecords(read: BillRead, hasKey: boolean): boolean {
  if (read.ok) return false;
  return NO_ENDPOINT.includes(read.status) || (!hasKey && REFUSED.includes(read.status));
}

/**
 * Throws `no_bill` (exit 2) where the target has no usage records to read. `prices` tells what came of its price book, and
 * `run` is what measures it.
 */
export function refuseWithoutBill(
  read: BillRead,
  run = 'weighbridge run',
  prices: readonly string[] = [],
): void {
  if (read.ok || !NO_ENDPOINT.includes(read.status)) return;
  throw new WeighbridgeError({
    code: 'no_bill',
    message: [
      `The target serves no usage records, so there is no bill to audit: ${read.read ?? 'GET /v1/usage/requests'} answered HTTP ${read.status}: ${read.message}. No paid call was sent`,
      ...prices,
    ]
      .map((sentence) => `${sentence}.`)
      .join(' '),
    hint: `Use ${run} with the same flags to measure the target without a bill. If it has a bill, check its address: --target takes the root, /v1 or /api form.`,
  });
}

/** Reads one usage record. Throws as `refuseWithoutBill`. */
export async function needBill(client: Pick<GatewayClient, 'usageRequests'>): Promise<BillRead> {
  const read = await readBill(client);
  refuseWithoutBill(read);
  return read;
}
