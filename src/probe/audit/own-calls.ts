import { join } from 'node:path';
import { PageSize } from '../../collect/page-size.ts';
import { ReadBudget } from '../../collect/read-budget.ts';
import { readerState } from '../../collect/reader-state.ts';
import type { ProbeTarget } from '../../core/probe-plan.ts';
import type { Reconciliation } from '../../core/reconciliation.ts';
import { paidCalls } from '../../reconcile/records/paid-call.ts';
import type { TargetView } from '../view/daemon-view.ts';
import { ArchivedDocuments } from '../watch/archived-documents.ts';
import type { WatchMeans } from '../watch/target-watch.ts';
import { AuditMetrics } from './audit-metrics.ts';
import { auditRound } from './audit-round.ts';
import { type AuditState, NOTHING_AUDITED, readAuditState, writeAuditState } from './audit-state.ts';
import { auditTally, REST_MS } from './audit-tally.ts';
import { ownLedger } from './own-ledger.ts';

export interface OwnCallsOptions {
  readonly means: WatchMeans;
  /** When free reads of records showed a request settled first. */
  readonly settledAt: (requestId: string) => number | null;
}

/** Calls this young are held against records again, whatever was found: a second charge may come. */
const AGAIN_MS = 2 * 3_600_000;
/** A gateway's clock may be a little before ours, and an answer is dated by its end. */
const MARGIN_S = 2;
/** What a run may take beyond the limits of its probe: the waits of its reads. */
const RUN_REST_MS = 300_000;

/** Holds own paid calls against the usage records of their time, again and again, with free reads alone. */
export class OwnCallsAudit {
  readonly #options: OwnCallsOptions;
  readonly #file: string;
  readonly #metrics: AuditMetrics;
  readonly #size = new PageSize();
  readonly #stop = new AbortController();
  #target: ProbeTarget;
  #state: AuditState;
  #view: TargetView['audit'] = null;
  #cancel: () => void = () => {};
  #round: Promise<void> | null = null;

  constructor(options: OwnCallsOptions) {
    const { target, metrics, dir, log } = options.means;
    this.#options = options;
    this.#target = target;
    this.#file = join(dir, 'audit', 'counted.json');
    const state = readAuditState(this.#file);
    if (state === null)
      log.warn('what audits have counted cannot be read and is begun anew', { file: this.#file });
    this.#state = state ?? NOTHING_AUDITED;
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
    this.#metrics.close();
  }

  #arm(): void {
    if (this.#stop.signal.aborted) return;
    const { clock, reconcile_ms } = this.#options.means;
    this.#cancel = clock.setTimer(reconcile_ms, () => {
      void this.run().finally(() => this.#arm());
    });
  }

  async #once(): Promise<void> {
    const { log } = this.#options.means;
    try {
      await this.#held();
    } catch (error) {
      log.error('own calls could not be held against their records', error, { target: this.#target.name });
    }
  }

  async #held(): Promise<void> {
    const { clock, ledger_dir, billing, log } = this.#options.means;
    const began = clock.now_ms();
    const { deadlines } = billing.terms;
    // Beyond it every call has its verdict: one more rest is for a round that comes late.
    const forget_before_ms = began - Math.max(deadlines.text_ms, deadlines.task_ms) - 2 * REST_MS;
    const running_since_ms = began - this.#longestRun();
    const all = await ownLedger(ledger_dir, { since_ms: forget_before_ms, running_since_ms });
    const open = paidCalls(all.ledger).filter(
      ({ call_id }) => (this.#state.calls[call_id]?.verdict ?? null) === null,
    );
    const since_ms = Math.min(began - AGAIN_MS, ...open.map(({ started_ms }) => started_ms));
    const { ledger, under_way } = await ownLedger(ledger_dir, { since_ms, running_since_ms });
    const calls = paidCalls(ledger);
    if (calls.length === 0) {
      this.#metrics.show(null, under_way, began);
      return;
    }
    const client = this.#options.means.reads(this.#stop.signal);
    if (client === null) {
      log.warn('own calls are not held against records: no key can be read', { target: this.#target.name });
      return;
    }
    try {
      const result = await auditRound({
        client,
        dir: join(this.#options.means.dir, 'audit', 'round'),
        ledger,
        window: { start: Math.floor(since_ms / 1000) - MARGIN_S, end: Math.ceil(began / 1000) + MARGIN_S },
        billing,
        archived: new ArchivedDocuments(this.#options.means.archive_dir),
        secondsNow: () => clock.now_ms() / 1000,
        // Walks of another window prove nothing of this one.
        state: readerState({
          size: this.#size,
          budget: new ReadBudget({ stopped: () => this.#stop.signal.aborted }),
        }),
      });
      if (this.#stop.signal.aborted) return;
      if ('unread' in result) {
        log.warn('records of own calls could not be read', { target: this.#target.name, why: result.unread });
        return;
      }
      const { judged } = result;
      const { settledAt } = this.#options;
      const now_ms = clock.now_ms();
      const tally = auditTally({
        state: this.#state,
        calls,
        judged,
        deadlines,
        now_ms,
        settledAt,
        forget_before_ms,
      });
      // First on the disk: after a crash too little was counted, and nothing twice.
      writeAuditState(this.#file, tally.state);
      this.#state = tally.state;
      this.#metrics.show(tally, tally.open + under_way, now_ms);
      const findings = [...tally.classes.values()].reduce((sum, count) => sum + count, 0);
      this.#view = { at_ms: now_ms, calls: calls.length, findings, verdict: verdictOf(judged, findings) };
    } finally {
      await client.close();
    }
  }

  #longestRun(): number {
    const limits = this.#target.probes.map((probe) => probe.timeout_ms + (probe.task_timeout_ms ?? 0));
    return Math.max(0, ...limits) + RUN_REST_MS;
  }
}

function verdictOf({ inconclusive }: Reconciliation, findings: number): string {
  if (findings > 0) return 'findings';
  return inconclusive.length > 0 ? 'inconclusive' : 'clean';
}
