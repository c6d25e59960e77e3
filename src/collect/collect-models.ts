import type { GatewayClient } from '../client/gateway-client.ts';
import type { ReadResult } from '../client/read-result.ts';
import type { ModelList } from '../contracts/interface.ts';
import { type SecondsNow, UsageStore, wallSeconds } from './usage-store.ts';
import { describeFailure, maskedWords } from './walk-pages.ts';

/** Reads the model list, with the key or as the public catalogue, and notes the read. */
export async function collectModels(request: {
  readonly client: GatewayClient;
  readonly dir: string;
  readonly sweep: number;
  /** True by default. */
  readonly withKey?: boolean | undefined;
  readonly secondsNow?: SecondsNow | undefined;
}): Promise<ReadResult<ModelList>> {
  const store = new UsageStore(request.dir, request.sweep, request.secondsNow ?? wallSeconds);
  const result = await request.client.models(request.withKey ?? true);
  if (result.ok) {
    const { status, sha256 } = result;
    store.read({
      read: 'models',
      status,
      sha256,
      count: result.body.data.length,
      answer_request_id: result.requestId,
      reasons: maskedWords(result),
    });
  } else {
    store.read({
      read: 'models',
      status: result.status,
      answer_request_id: result.requestId,
      reasons: [`models_failed: ${describeFailure(result)}`],
    });
  }
  store.close();
  return result;
}
