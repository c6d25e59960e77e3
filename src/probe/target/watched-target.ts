import type { Probe, ProbeTarget } from '../../contracts/probe-plan.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import { readScheduledRun } from '../../state/scheduled-run-file.ts';
import { openTargetFolder } from '../../state/target-folder.ts';
import { tellByPeriod } from '../observe/budget-series.ts';
import { blameOfListed, createSeries } from '../observe/expected-series.ts';
import { observeRun } from '../observe/observe-run.ts';
import { observeScheduledRun, removeScheduledRun } from '../observe/observe-scheduled-run.ts';
import { labelsOf } from '../observe/run-labels.ts';
import { makeRun } from '../runs/make-run.ts';
import { probeOfTask } from '../runs/resume-task.ts';
import type { RunOutcome } from '../runs/run-outcome.ts';
import type { TargetMeans } from '../runs/target-means.ts';
import type { DueRun, RunEnd, SkipReason } from '../schedule/due-run.ts';
import type { UnfinishedTask } from '../tasks/task-line.ts';
import type { TargetView } from '../view/daemon-view.ts';
import type { FreeRead, TargetWatch } from '../watch/target-watch.ts';
import type { DaemonMeans } from './daemon-means.ts';
import { RunHistory } from './run-history.ts';
import { targetMeans, watchMeans } from './target-means-of.ts';
import { foldersOf, NO_STATE, openState, type TargetState } from './target-state.ts';
import { followLeft, targetView, tasksLeft } from './target-view.ts';

/** One gateway that is watched: makes the runs of its probes and tells them. */
export class WatchedTarget {
  readonly #daemon: DaemonMeans;
  readonly #history = new RunHistory();
  readonly #ending = new AbortController();
  readonly #gone = new AbortController();
  readonly #following = new Set<Promise<void>>();
  readonly #inFlight = new Map<Probe['api'], number>();
  readonly #means: TargetMeans;
  #target: ProbeTarget;
  #state: TargetState = NO_STATE;
  #watch: TargetWatch | null = null;
  #scheduledUnread = false;

  private constructor(daemon: DaemonMeans, target: ProbeTarget) {
    this.#daemon = daemon;
    this.#target = target;
    this.#means = targetMeans(daemon, {
      target: () => this.#target,
      state: () => this.#state,
      seen: (read) => this.#seen(read),
      priced: (probe, price) => this.#history.priced(probe, price),
      ending: this.#ending.signal,
      gone: this.#gone.signal,
    });
  }

  /** Opens what outlives the daemon, and goes on with the tasks that the last one left. */
  static async open(daemon: DaemonMeans, target: ProbeTarget): Promise<WatchedTarget> {
    const { name, folder, bases } = target;
    openTargetFolder(daemon.plan.state_dir, { name, folder, root: bases.root }, (line) =>
      daemon.log.info(line, { target: name }),
    );
    const watched = new WatchedTarget(daemon, target);
    try {
      await watched.#open();
    } catch (error) {
      // Its locks must not stay with nobody.
      await watched.close(true);
      throw error;
    }
    return watched;
  }

  async #open(): Promise<void> {
    const [daemon, target] = [this.#daemon, this.#target];
    this.#state = await openState(daemon, target);
    this.#watch = daemon.openWatch?.(watchMeans(daemon, this.#means)) ?? null;
    createSeries(daemon.metrics, target);
    this.#readCredentials();
    for (const task of await tasksLeft(daemon, target, this.#state.tasks)) this.#take(task);
  }

  get target(): ProbeTarget {
    return this.#target;
  }

  async run(due: DueRun): Promise<RunEnd> {
    const signal = AbortSignal.any([due.signal, this.#gone.signal]);
    this.#count(due.probe.api, 1);
    this.#history.started(due.probe.name, this.#daemon.clock.now_ms());
    try {
      return this.#told(due.probe, await makeRun(this.#means, { ...due, signal }), true);
    } finally {
      this.#count(due.probe.api, -1);
      this.#history.stopped(due.probe.name);
    }
  }

  skipped(probe: Probe, reason: SkipReason): void {
    this.#daemon.metrics.inc('weighbridge_probe_skipped_total', {
      target: this.#target.name,
      probe: probe.name,
      reason,
    });
    this.#history.skipped(probe.name, reason);
  }

  /** The same gateway with other probes or limits. Runs under way go on. */
  async replace(target: ProbeTarget): Promise<void> {
    const kept = new Set(target.probes.map((probe) => JSON.stringify(labelsOf(target.name, probe))));
    for (const probe of this.#target.probes) {
      if (kept.has(JSON.stringify(labelsOf(target.name, probe)))) continue;
      // Its last values would stand for ever.
      this.#daemon.metrics.removeAll({ target: target.name, probe: probe.name });
      this.#history.forget(probe.name);
    }
    this.#target = target;
    this.#means.credentials.replace(target);
    if (this.#state.budget === null) this.#state = await openState(this.#daemon, target);
    else if (target.budget !== null) this.#state.budget.setLimits(target.budget);
    createSeries(this.#daemon.metrics, target);
    this.#readCredentials();
    this.#watch?.replace(target);
  }

  /** Values that are only read when somebody looks. */
  sample(): void {
    const { metrics } = this.#daemon;
    const { name } = this.#target;
    const spent = this.#state.budget?.spent() ?? null;
    if (spent !== null) tellByPeriod(metrics, 'weighbridge_probe_budget_spent_usd', name, spent);
    this.#sampleScheduledRun();
    for (const probe of this.#target.probes) {
      const { api } = probe;
      if (probe.task_timeout_ms === null) continue;
      const open = this.#state.tasks?.open().filter((task) => task.probe === probe.name) ?? [];
      const at = { target: name, probe: probe.name, api };
      metrics.set('weighbridge_probe_tasks_open', at, open.length);
      const oldest = Math.min(...open.map(({ accepted_ms }) => accepted_ms));
      // Without an open task it is infinite, which takes the series out.
      metrics.set('weighbridge_probe_task_oldest_open_timestamp_seconds', at, oldest / 1000);
    }
  }

  view(now_ms: number): TargetView {
    return targetView(this.#target, { ...this.#state, history: this.#history, watch: this.#watch, now_ms });
  }

  /** Open tasks are left to the next process. */
  leaveTasks(): void {
    this.#ending.abort();
  }

  /** Ends all that is under way. `removed`: it is no longer in the plan. */
  async close(removed: boolean): Promise<void> {
    this.#ending.abort();
    this.#gone.abort();
    await Promise.all(this.#following);
    await this.#watch?.close();
    await this.#means.ledger.close();
    await this.#state.tasks?.close();
    await this.#state.budget?.close();
    if (!removed) return;
    this.#daemon.metrics.removeAll({ target: this.#target.name });
  }

  #take(task: UnfinishedTask): void {
    const known = this.#target.probes.find(({ name }) => name === task.probe);
    const probe = known ?? probeOfTask(task);
    const following = followLeft(
      this.#daemon,
      this.#means,
      { task, probe, inPlan: known !== undefined },
      this.#gone.signal,
    )
      .then((outcome) => {
        if (outcome !== null) this.#told(probe, outcome, known !== undefined);
      })
      .finally(() => this.#following.delete(following));
    this.#following.add(following);
  }

  #told(probe: Probe, outcome: RunOutcome, inPlan: boolean): RunEnd {
    if (outcome.kind === 'skipped') return outcome;
    if (outcome.kind === 'interrupted') return { kind: 'ended', retry_after_ms: null };
    const { facts } = outcome;
    const run = blameOfListed(outcome.run, probe, this.#watch);
    const { metrics, log } = this.#daemon;
    log.run(probe, run);
    if (inPlan && this.#target.probes.some(({ name }) => name === probe.name)) {
      observeRun(metrics, { probe, run, facts });
      this.#history.ended(run, facts.stream?.first_content_ms ?? null);
      if (isPaidKind(probe.api)) this.#watch?.ended(probe, run);
    }
    return { kind: 'ended', retry_after_ms: run.retry_after_ms };
  }

  /** Other commands write it. What cannot be read leaves the values that were: as they age, the run counts as missing. */
  #sampleScheduledRun(): void {
    const { metrics, log } = this.#daemon;
    const { name } = this.#target;
    try {
      const run = readScheduledRun(foldersOf(this.#daemon, this.#target).all);
      if (run === null) removeScheduledRun(metrics, name);
      else observeScheduledRun(metrics, name, run);
      this.#scheduledUnread = false;
    } catch (error) {
      if (!this.#scheduledUnread)
        log.error('the last scheduled run is not readable', error, { target: name });
      this.#scheduledUnread = true;
    }
  }

  #count(api: Probe['api'], by: number): void {
    const now = (this.#inFlight.get(api) ?? 0) + by;
    this.#inFlight.set(api, now);
    this.#daemon.metrics.set('weighbridge_probe_in_flight', { target: this.#target.name, api }, now);
  }

  #readCredentials(): void {
    for (const name of ['key', 'access_token', 'user_id'] as const) this.#means.credentials.read(name);
  }

  /** A fault of the watch is ours: it fails no probe. */
  async #seen(read: FreeRead): Promise<void> {
    try {
      await this.#watch?.seen(read);
    } catch (error) {
      this.#daemon.log.error('a document was not taken up', error, {
        target: this.#target.name,
        document: read.document,
      });
    }
  }
}
