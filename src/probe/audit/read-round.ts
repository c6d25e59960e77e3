import type { GatewayClient } from '../../client/gateway-client.ts';
import { collectBook } from '../../collect/collect-book.ts';
import { collectSweep } from '../../collect/collect-sweep.ts';
import type { ReaderState } from '../../collect/reader-state.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';

export interface RoundReads {
  readonly client: GatewayClient;
  /** Begun with the books of the calls. */
  readonly dir: string;
  readonly window: UsageWindow;
  readonly billing: ResolvedBilling;
  readonly secondsNow: () => number;
  /** What earlier rounds learnt of reading. */
  readonly state: ReaderState;
}

/** Reads records of the window and the book of now, free of charge. Null, or why there is nothing to judge by. */
export async function readRound(round: RoundReads): Promise<string | null> {
  const { client, dir, window, billing, secondsNow, state } = round;
  const book = await collectBook({ client, dir, sweep: 0, secondsNow });
  const sweep = await collectSweep({ client, dir, window, sweep: 1, prove: true, state, secondsNow });
  if (sweep.failure !== null) return sweep.reasons.join('; ');
  if (!book.ok && billing.book.file === null) return `the price book: ${book.message}`;
  return null;
}
