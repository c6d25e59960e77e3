import { join } from 'node:path';
import type { GatewayClient } from '../../client/gateway-client.ts';
import { collectBook } from '../../collect/collect-book.ts';
import { collectSweep } from '../../collect/collect-sweep.ts';
import { PageSize } from '../../collect/page-size.ts';
import { ReadBudget } from '../../collect/read-budget.ts';
import { type ReaderState, readerState } from '../../collect/reader-state.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { WaryClock } from '../../state/wary-clock.ts';
import type { TargetView } from '../view/daemon-view.ts';
import type { WatchMeans } from '../watch/target-watch.ts';
import { AuditMetrics, type SettledAt } from './audit-metrics.ts';
import { readAuditState } from './audit-state.ts';
import { REST_MS } from './audit-tally.ts';
import { ThreadedJudge } from './judge-thread.ts';

/** A gateway's clock may be a little before ours, and an answer is dated by its end. */
const MARGIN_S = 2;
/** What a run may take beyond the limits of its probe: the waits of its reads. */
const RUN_REST_MS = 300_000;
const NO_KEY = 'no key can be read';

/** Holds own paid calls against the usage records of their time, again and again, with free reads alone. */
export class OwnCallsAudit {
  readonly #means: WatchMeans;
  readonly #settledAt: SettledAt;
  readonly #judge: ThreadedJudge;
  readonly #metrics: AuditMetrics;
  readonly #size = new PageSize();
  readonly #wary: WaryClock;
  readonly #stop = new AbortController();
  #target: ProbeTarget;
  #view: TargetView['audit'] = null;
  #cancel: () => void = () => {};
  #round: Promise<void> | null = null;

  /** Throws `state_version` (exit 2) where a newer version has counted. */
  constructor(means: WatchMeans, settledAt: SettledAt) {
    const { target, metrics, dir, ledger_dir, clock } = means;
    this.#means = means;
    this.#settledAt = settledAt;
    this.#target = target;
    this.#wary = new WaryClock(clock);
    const counted = join(dir, 'audit', 'counted.json');
    readAuditState(counted);
    this.#judge = new ThreadedJudge(ledger_dir, counted);
    this.#metrics = new AuditMetrics(target, metrics);
    this.#arm();
  }

  view(): TargetView['audit'] {
    return this.#view;
  }

  replace(target: ProbeTarget): void {
    this.#target = target;
    this.#metrics.replace(target);
  }

  /** One round; while one is under way, that one. What the target does is no fault of ours: it rejects for none. */
  run(): Promise<void> {
    this.#round ??= this.#once().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#cancel();
    await this.#round;
    await this.#judge.close();
    this.#metrics.close();
  }

  #arm(): void {
    if (this.#stop.signal.aborted) return;
    const { clock, reconcile_ms } = this.#means;
    this.#cancel = clock.setTimer(reconcile_ms, () => {
      void this.run().finally(() => this.#arm());
    });
  }

  async #once(): Promise<void> {
    const { log } = this.#means;
    try {
      await this.#held();
    } catch (error) {
      log.error('own calls could not be held against their records', error, { target: this.#target.name });
    }
  }

  async #held(): Promise<void> {
    const { clock, billing, log, dir } = this.#means;
    const settledAt = this.#settledAt;
    const { name } = this.#target;
    const began = this.#now();
    const running_since_ms = began - this.#longestRun();
    const { calls, under_way, since_ms, lost } = await this.#judge.window({
      now_ms: began,
      running_since_ms,
      billing,
    });
    if (lost) log.warn('what audits have counted cannot be read and is begun anew', { target: name });
    if (calls === 0) {
      this.#metrics.show(null, under_way, clock.now_ms(), settledAt);
      return;
    }
    const round = join(dir, 'audit', 'round');
    const end = Math.ceil(clock.now_ms() / 1000) + MARGIN_S;
    const unread = await this.#read(round, { start: Math.floor(since_ms / 1000) - MARGIN_S, end });
    if (unread === NO_KEY)
      log.warn('own calls are not held against records: no key can be read', { target: name });
    else if (unread !== null && !this.#stop.signal.aborted)
      log.warn('records of own calls could not be read', { target: name, why: unread });
    if (unread !== null || this.#stop.signal.aborted) return;
    const judged = await this.#judge.judge({ dir: round, now_ms: this.#now(), billing });
    const { tally, cache, verdict, groups } = judged;
    const now_ms = clock.now_ms();
    this.#metrics.show(tally, tally.open + under_way, now_ms, settledAt);
    this.#metrics.showCache(cache);
    const findings = [...tally.classes.values()].reduce((sum, count) => sum + count, 0);
    this.#view = { at_ms: now_ms, calls, findings, verdict, groups };
  }

  /** Null, or why there is nothing to judge by. */
  async #read(dir: string, window: UsageWindow): Promise<string | null> {
    const { billing, archive_dir, reads } = this.#means;
    const client = reads(this.#stop.signal);
    if (client === null) return NO_KEY;
    const secondsNow = () => this.#now() / 1000;
    try {
      await this.#judge.books({ dir, archive_dir, window, billing, now_s: secondsNow() });
      return await readRound({
        client,
        dir,
        window,
        billing,
        secondsNow,
        // Walks of another window prove nothing of this one.
        state: readerState({
          size: this.#size,
          budget: new ReadBudget({ stopped: () => this.#stop.signal.aborted }),
        }),
      });
    } finally {
      await client.close();
    }
  }

  /** As long as calls of before a step forward are waited for, they are not older than they are. */
  #now(): number {
    const { text_ms, task_ms } = this.#means.billing.terms.deadlines;
    return this.#wary.now_ms(Math.max(text_ms, task_ms) + 2 * REST_MS);
  }

  #longestRun(): number {
    const limits = this.#target.probes.map((probe) => probe.timeout_ms + (probe.task_timeout_ms ?? 0));
    return Math.max(0, ...limits) + RUN_REST_MS;
  }
}

interface RoundReads {
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
async function readRound(round: RoundReads): Promise<string | null> {
  const { client, dir, window, billing, secondsNow, state } = round;
  const book = await collectBook({ client, dir, sweep: 0, secondsNow });
  const sweep = await collectSweep({ client, dir, window, sweep: 1, prove: true, state, secondsNow });
  if (sweep.failure !== null) return sweep.reasons.join('; ');
  if (!book.ok && billing.book.file === null) return `the price book: ${book.message}`;
  return null;
}
