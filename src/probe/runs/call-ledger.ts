import { randomBytes } from 'node:crypto';
import { PaidClient, type PaidClientOptions } from '../../client/paid/paid-client.ts';
import type { CallRow, Intent } from '../../contracts/ledger-lines.ts';
import { formatInstant } from '../../core/time.ts';
import { LedgerSink } from '../../ledger/ledger-sink.ts';
import type { ProbeClock } from '../schedule/probe-clock.ts';

export interface CallLedgerOptions extends Omit<PaidClientOptions, 'instance'> {
  readonly dir: string;
  readonly version: string;
  readonly now: ProbeClock;
}

/** Who makes paid calls, and where they are written: an instance of its own for each UTC day and each start of the daemon. */
export interface LedgerDay {
  readonly client: PaidClient;
  /** The next number of a probe's calls in this instance. */
  number(probe: string): number;
  intent(line: Intent): void;
}

/**
 * The ledger of a target's own calls, `<UTC day>-<start>-<n>.ndjson`, as `weighbridge reconcile --ledger` reads it. All files
 * have one run id, so that a month of them is one ledger; instances keep call ids of different starts apart.
 */
export class CallLedger {
  readonly #options: CallLedgerOptions;
  #day: { name: string; sink: LedgerSink; client: PaidClient; numbers: Map<string, number> } | null = null;
  readonly #clients = new Set<PaidClient>();

  constructor(options: CallLedgerOptions) {
    this.#options = options;
  }

  /** Whose calls are made now. */
  today(): LedgerDay {
    const { client, sink, numbers } = this.#current();
    return {
      client,
      number: (probe) => {
        const next = numbers.get(probe) ?? 0;
        numbers.set(probe, next + 1);
        return next;
      },
      intent: (line) => sink.write(line),
    };
  }

  /** Rows of a call that was begun under another day go into today's file: a call is known by its id. */
  rows(rows: readonly CallRow[]): void {
    for (const row of rows) this.#current().sink.write(row);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients].map((client) => client.close()));
    this.#day?.sink.close();
    this.#day = null;
  }

  #current() {
    const instant = formatInstant(this.#options.now.now_ms());
    const name = instant.slice(0, 10);
    if (this.#day?.name === name) return this.#day;
    this.#day?.sink.close();
    const { dir, version, now, ...client } = this.#options;
    const instance = `${name}-${instant.slice(11, 19).replaceAll(':', '')}${randomBytes(2).toString('hex')}`;
    const sink = new LedgerSink({ dir, run: client.runId, instance, keyFp: null, version });
    const paid = new PaidClient({ ...client, instance });
    this.#clients.add(paid);
    this.#day = { name, sink, client: paid, numbers: new Map() };
    return this.#day;
  }
}
