import { join } from 'node:path';
import { GatewayClient } from '../../client/gateway-client.ts';
import type { Dialect } from '../../contracts/dialect.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { usdNumber } from '../metrics/usd-number.ts';
import { labelsOf } from '../observe/run-labels.ts';
import { CallLedger } from '../runs/call-ledger.ts';
import { SubmittedRows } from '../runs/submitted-rows.ts';
import { TargetBook } from '../runs/target-book.ts';
import { TargetCredentials } from '../runs/target-credentials.ts';
import type { TargetMeans } from '../runs/target-means.ts';
import type { FreeRead, WatchMeans } from '../watch/target-watch.ts';
import type { DaemonMeans } from './daemon-means.ts';
import { foldersOf, type TargetState } from './target-state.ts';

/** A read of ours that no probe's timeout holds for. */
const READ_MS = 15_000;
/** Far above any list, book or page of records: to parse what fills this takes a part of a second from all other runs. */
const MOST_BYTES = 16_000_000;
/** One attempt: what a probe sees is not to be mended by trying again. */
const ONCE = { attempts: 1, firstWaitMs: 0, factor: 1, maxWaitMs: 0 };

interface TargetNow {
  target(): ProbeTarget;
  state(): TargetState;
  readonly seen: (read: FreeRead) => Promise<void>;
  /** By which price a probe was reserved. */
  readonly priced: (probe: string, price: 'known' | 'assumed') => void;
  /** Aborted when tasks are left to the next process, and when all that is under way must end. */
  readonly ending: AbortSignal;
  readonly gone: AbortSignal;
}

/** What the runs of a target share, by what the daemon has. */
export function targetMeans(
  daemon: DaemonMeans,
  { target, state, seen, priced, ending, gone }: TargetNow,
): TargetMeans {
  const { clock, env, http, billing, metrics, log, secrets, version } = daemon;
  const dir = foldersOf(daemon, target()).own;
  const credentials = new TargetCredentials(target(), {
    env,
    secrets,
    now: () => clock.now_ms(),
    looked: (name, problem, isNew) => {
      const at = { target: target().name, credential: name };
      metrics.set('weighbridge_credential_readable', at, problem === null ? 1 : 0);
      if (isNew && problem !== null) log.warn('credential not readable', { ...at, problem });
    },
  });
  const user_agent = `weighbridge/${version} probe/${target().name}`;
  let recognised: Dialect | null = null;
  const reads = (timeoutMs: number, signal: AbortSignal) =>
    new GatewayClient({
      bases: target().bases,
      // What it was seen to be once is not looked for with each read.
      dialect: target().dialect === 'auto' ? (recognised ?? 'auto') : target().dialect,
      recognised: (seen) => {
        recognised = seen;
      },
      apiKey: credentials.read('key') ?? undefined,
      accessToken: credentials.read('access_token') ?? undefined,
      userId: credentials.read('user_id') ?? undefined,
      headers: credentials.headers(),
      secrets: credentials.secrets(),
      timeoutMs,
      maxBytes: MOST_BYTES,
      retry: ONCE,
      signal,
      connection: http,
      environment: env,
      userAgent: user_agent,
    });
  const ledger = new CallLedger({
    bases: target().bases,
    key: () => credentials.read('key'),
    headers: () => credentials.headers(),
    secrets: () => credentials.secrets(),
    environment: env,
    connection: http,
    userAgent: user_agent,
    runId: `probe-${target().name}`,
    dir: join(dir, 'calls'),
    version,
    now: clock,
  });
  const book = new TargetBook(billing, clock, async () => {
    const client = reads(READ_MS, gone);
    try {
      return await client.priceBook();
    } finally {
      await client.close();
    }
  });
  return {
    target,
    clock,
    connection: http,
    user_agent,
    env,
    credentials,
    get budget() {
      return state().budget;
    },
    get tasks() {
      return state().tasks;
    },
    ledger,
    submitted: new SubmittedRows(join(dir, 'submitted')),
    book,
    reads,
    seen,
    ending,
    accepted: (probe, task) => log.info('task accepted', { target: target().name, probe: probe.name, task }),
    reserved: (probe, worst, price) => {
      const { stream: _, ...at } = labelsOf(target().name, probe);
      const isAssumed = price === 'assumed';
      const source = isAssumed ? 'assumed' : 'reserved';
      metrics.inc('weighbridge_probe_spend_usd_total', { ...at, source }, usdNumber(worst));
      const named = { target: at.target, probe: at.probe };
      metrics.set('weighbridge_probe_price_assumed', named, isAssumed ? 1 : 0);
      priced(probe.name, price);
    },
  };
}

/** What its watch is given. */
export function watchMeans(daemon: DaemonMeans, means: TargetMeans): WatchMeans {
  const { billing, clock, metrics, log, plan } = daemon;
  const { own: dir, archive: archive_dir } = foldersOf(daemon, means.target());
  return {
    target: means.target(),
    reconcile_ms: plan.reconcile_ms,
    dir,
    archive_dir,
    archive_days: daemon.archive_days,
    ledger_dir: join(dir, 'calls'),
    billing,
    clock,
    metrics,
    log,
    reads: (signal: AbortSignal) =>
      means.credentials.read('key') === null ? null : means.reads(READ_MS, signal),
  };
}
