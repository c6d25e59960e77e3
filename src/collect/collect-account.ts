import type { GatewayClient } from '../client/gateway-client.ts';
import type { ReadResult } from '../client/read-result.ts';
import type { AccountRecord } from '../contracts/interface.ts';
import { type SecondsNow, UsageStore, wallSeconds } from './usage-store.ts';
import { describeFailure, maskedWords } from './walk-pages.ts';

/** Reads the account's counters, in its own units, and notes the read. Needs the account credentials. */
export async function collectAccount(request: {
  readonly client: GatewayClient;
  readonly dir: string;
  readonly sweep: number;
  readonly secondsNow?: SecondsNow | undefined;
}): Promise<ReadResult<AccountRecord>> {
  const store = new UsageStore(request.dir, request.sweep, request.secondsNow ?? wallSeconds);
  const result = await request.client.account();
  const note = { read: 'account', status: result.status, answer_request_id: result.requestId } as const;
  if (result.ok) {
    const { quota, used_quota, request_count } = result.body;
    const account = { quota, used_quota, request_count };
    store.read({ ...note, sha256: result.sha256, account, reasons: maskedWords(result) });
  } else store.read({ ...note, reasons: [`account_failed: ${describeFailure(result)}`] });
  store.close();
  return result;
}
