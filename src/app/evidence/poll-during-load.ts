import type { GatewayClient } from '../../client/gateway-client.ts';
import { collectAccount } from '../../collect/collect-account.ts';
import { collectBook } from '../../collect/collect-book.ts';
import type { Credentials } from '../../config/credentials.ts';
import type { BookArchive } from '../../pricebook/archive/archive-index.ts';

/** Short enough to see a price book that is in force for two seconds. */
const EVERY_MS = 2_000;
/** Most bytes a second that reading the book may take: a large one is read less often. */
const BYTES_PER_SECOND = 100_000;
/** The account is read once in so many turns. */
const ACCOUNT_TURNS = 5;

export interface PollOptions {
  readonly client: GatewayClient;
  readonly runDir: string;
  /** True where the client has the credentials of the account. */
  readonly account: boolean;
  readonly everyMs?: number;
  /** Where the books of the target are kept beyond the run. */
  readonly archive?: BookArchive | undefined;
}

/** True where the account can be read with what is given. */
export function readsAccount({ accessToken, userId }: Pick<Credentials, 'accessToken' | 'userId'>): boolean {
  return accessToken !== null && userId !== null;
}

/** Reads under way while the load runs. */
export interface LoadPolling {
  /** Ends after the read under way and one last one. */
  stop(): Promise<void>;
}

/**
 * Reads the price book every two seconds, and the account's counters now and then. A version that comes and goes while
 * the load runs is archived with when it was seen. A read that fails is noted and changes nothing.
 */
export function pollDuringLoad(options: PollOptions): LoadPolling {
  const { client, runDir: dir, account, archive, everyMs = EVERY_MS } = options;
  const stopping = new AbortController();
  const ended = follow();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };

  async function follow(): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const last = stopping.signal.aborted;
      const book = await collectBook({ client, dir, sweep: 0, archive });
      if (account && (last || turn % ACCOUNT_TURNS === 0)) await collectAccount({ client, dir, sweep: 0 });
      if (last) return;
      const bytes = book.ok ? book.bytes.length : 0;
      await untilStopped(Math.max(everyMs, (bytes / BYTES_PER_SECOND) * 1000));
    }
  }

  function untilStopped(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      stopping.signal.addEventListener('abort', done, { once: true });
      if (stopping.signal.aborted) done();
      function done(): void {
        clearTimeout(timer);
        stopping.signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}
