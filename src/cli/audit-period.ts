import { createHash } from 'node:crypto';
import { collectBook } from '../collect/collect-book.ts';
import { collectSweep } from '../collect/collect-sweep.ts';
import { ReadBudget } from '../collect/read-budget.ts';
import { readerState } from '../collect/reader-state.ts';
import { nextSweep } from '../collect/usage-store.ts';
import type { Credentials } from '../config/credentials.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import { type AuditPeriod, PERIOD_SCHEMA } from '../core/audit-period.ts';
import type { PlanTarget } from '../core/plan.ts';
import { formatInstant } from '../core/time.ts';
import type { NamedWindow } from './audit-window.ts';
import { listenForInterrupts } from './interrupts.ts';
import { storePeriod } from './period-folder.ts';
import { makeRunFolder } from './run-folder.ts';
import type { Terminal } from './terminal.ts';
import { clientOf, targetFailure } from './weighed-target.ts';

export interface PeriodAudit {
  readonly terminal: Terminal;
  readonly config: ResolvedConfig;
  readonly target: PlanTarget;
  /** One for each key whose records are read, each with an API key. */
  readonly keys: readonly Credentials[];
  readonly window: NamedWindow;
  /** Parent of the folder. */
  readonly out: string;
}

/**
 * Reads the bill of a past period, with nothing but API keys, into a folder of its own: the book, and each key's
 * records and totals, read until they are proven whole. The same period of the same keys has the same folder, so a later
 * audit adds its reads to it. Returns the folder. Sends no paid call.
 */
export async function auditPeriod(audit: PeriodAudit): Promise<string> {
  const { config, target, keys, window, terminal } = audit;
  const period = periodOf(audit);
  const runDir = makeRunFolder(audit.out, period.run_id, config);
  storePeriod(runDir, period);
  const interrupts = listenForInterrupts(process);
  const reads = new AbortController();
  interrupts.onSignal(() => reads.abort());
  const sweep = nextSweep(runDir);
  try {
    for (const [index, credentials] of keys.entries()) {
      const client = clientOf(target, credentials, reads.signal, period.run_id, config.http);
      const state = readerState({ budget: new ReadBudget({ stopped: () => interrupts.count() > 0 }) });
      try {
        if (index === 0) {
          const book = await collectBook({ client, dir: runDir, sweep });
          if (!book.ok && book.status === null) throw targetFailure('GET /pricing.usd.json', book);
        }
        const keyFp = credentials.keyFp ?? undefined;
        const read = await collectSweep({ client, dir: runDir, window, sweep, prove: true, state, keyFp });
        const { failure } = read;
        if (failure !== null && read.records === 0) throw targetFailure('GET /v1/usage/requests', failure);
        terminal.err(`${period.run_id}: ${read.records} records of key ${credentials.keyFp ?? ''} read`);
      } finally {
        await client.close();
      }
    }
  } finally {
    interrupts.release();
  }
  return runDir;
}

function periodOf({ target, keys, window }: PeriodAudit): AuditPeriod {
  const fingerprints = [...new Set(keys.flatMap(({ keyFp }) => keyFp ?? []))].sort();
  const digest = createHash('sha256')
    .update(JSON.stringify([target.root, fingerprints, window.start]))
    .digest('hex');
  return {
    schema: PERIOD_SCHEMA,
    run_id: `${window.name}-${digest.slice(0, 8)}`,
    target,
    start: formatInstant(window.start * 1000),
    end: formatInstant(window.end * 1000),
    keys: fingerprints,
  };
}
