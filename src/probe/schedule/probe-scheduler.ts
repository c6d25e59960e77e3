import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { isFreeRead, type ProbePlan } from '../../contracts/probe-plan.ts';
import { formatInstant } from '../../core/time.ts';
import type { DueRun, RunEnd, SkipReason, TargetProbe } from './due-run.ts';
import type { ProbeClock } from './probe-clock.ts';
import { RunPlaces } from './run-places.ts';
import { probeKey, type ScheduledProbe, scheduledProbe } from './scheduled-probe.ts';
import { SlotPlan } from './slot-plan.ts';
import { type DueSlot, SlotTimer } from './slot-timer.ts';

/** The longest time for which a target can keep a probe away. */
const LONGEST_PAUSE_MS = 3_600_000;
/** What runs get to end in after their signals were aborted. */
const ABORT_MS = 2_000;

/** Starts runs when they are planned: one of a probe at a time, never more of a target than its cap. */
export class ProbeScheduler {
  readonly #options: SchedulerOptions;
  readonly #clock: ProbeClock;
  readonly #probes = new Map<string, ScheduledProbe>();
  readonly #places: RunPlaces;
  /** Wall time at 0 of the monotonic clock, taken once: a clock that is put right later moves no start. */
  readonly #epoch: number;
  #asked = 0;
  #isDraining = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#places = new RunPlaces(options.concurrency);
    this.#epoch = options.clock.now_ms() - options.clock.mono_ms();
  }

  /** Probes of the same name and interval keep their next start; runs that are under way go on in any case. */
  replace(plan: Pick<ProbePlan, 'targets'>): void {
    if (this.#isDraining) return;
    const wanted = new Set<string>();
    for (const target of plan.targets) {
      for (const probe of target.probes) wanted.add(this.#set({ target, probe }));
    }
    for (const entry of this.#probes.values()) if (!wanted.has(entry.key)) this.#remove(entry);
    this.#serve();
  }

  /** At once, whatever is planned; joins a run that is under way. A run that may not start is a skipped one, told to no one else. */
  async runNow(target: string, probe: string): Promise<RunEnd> {
    const entry = this.#probes.get(probeKey(target, probe));
    if (entry === undefined || entry.timer === null) throw unknownProbe(target, probe);
    if (entry.running !== null) return entry.running.end;
    const reason = this.#isDraining ? 'paused' : this.#refusal(entry);
    if (reason !== null) return { kind: 'skipped', reason };
    if (!this.#places.isFree(entry)) return { kind: 'skipped', reason: 'concurrency' };
    const now = this.#epoch + this.#clock.mono_ms();
    this.#asked += 1;
    const id = `${target}/${probe}/asked-${formatInstant(now)}-${this.#asked}`;
    return this.#start(entry, { id, planned_ms: now, asked: true });
  }

  /** Starts nothing any more, waits for what is under way, then aborts it. Resolves with how many were aborted and never ended. */
  async drain(ms: number): Promise<{ aborted: number; left: number }> {
    this.#isDraining = true;
    for (const entry of this.#probes.values()) {
      entry.timer?.stop();
      this.#places.leave(entry);
    }
    await endsWithin(this.#clock, this.#running(), ms);
    const late = [...this.#probes.values()].flatMap(({ running }) => running ?? []);
    for (const { controller } of late) controller.abort();
    await endsWithin(this.#clock, this.#running(), ABORT_MS);
    return { aborted: late.length, left: this.#running().length };
  }

  #running(): Promise<unknown>[] {
    return [...this.#probes.values()].flatMap(({ running }) => (running === null ? [] : [running.end]));
  }

  #set(at: TargetProbe): string {
    const { target, probe } = at;
    const key = probeKey(target.name, probe.name);
    const entry = this.#probes.get(key) ?? scheduledProbe(key, at);
    this.#probes.set(key, entry);
    entry.at = at;
    if (entry.timer?.plan.interval_ms === probe.interval_ms) return key;
    entry.timer?.stop();
    this.#places.leave(entry);
    const plan = new SlotPlan(probe.interval_ms, this.#options.seed ?? '', target.name, probe.name);
    const early = isFreeRead(probe.api);
    entry.timer = new SlotTimer(plan, this.#clock, this.#epoch, early, (due) => this.#offer(entry, due));
    return key;
  }

  #remove(entry: ScheduledProbe): void {
    entry.timer?.stop();
    entry.timer = null;
    this.#places.leave(entry);
    if (entry.running === null) this.#probes.delete(entry.key);
  }

  #offer(entry: ScheduledProbe, due: DueSlot): void {
    const reason = entry.running === null ? this.#refusal(entry) : 'overlap';
    // One start waits at most; it keeps its place in the line, so that each probe gets its turn.
    if (reason !== null || entry.waiting !== null) this.#options.skipped(entry.at, reason ?? 'concurrency');
    if (reason !== null) {
      this.#places.leave(entry);
      return;
    }
    entry.waiting = due;
    this.#places.wait(entry);
    this.#serve();
  }

  #refusal(entry: ScheduledProbe): SkipReason | null {
    return this.#clock.mono_ms() < entry.blocked_until ? 'retry_after' : null;
  }

  #serve(): void {
    if (this.#isDraining) return;
    for (let entry = this.#places.next(); entry !== null; entry = this.#places.next()) {
      const { waiting, at, timer } = entry;
      this.#places.leave(entry);
      if (waiting === null || timer === null) continue;
      const reason = this.#refusal(entry);
      if (reason !== null) {
        this.#options.skipped(at, reason);
        continue;
      }
      this.#options.lag(this.#clock.mono_ms() - waiting.due_mono);
      const planned_ms = timer.plan.startOf(waiting.slot);
      const id = `${at.target.name}/${at.probe.name}/${formatInstant(planned_ms)}`;
      // Whose fault has been told.
      this.#start(entry, { id, planned_ms, asked: false }).catch(() => {});
    }
  }

  #start(entry: ScheduledProbe, named: Pick<DueRun, 'id' | 'planned_ms' | 'asked'>): Promise<RunEnd> {
    const controller = new AbortController();
    const due: DueRun = { ...named, ...entry.at, signal: controller.signal };
    this.#places.take(due.target.name);
    const end = this.#run(entry, due);
    entry.running = { controller, end };
    return end;
  }

  async #run(entry: ScheduledProbe, due: DueRun): Promise<RunEnd> {
    // After `#start` has written down that it runs.
    await Promise.resolve();
    try {
      const end = await this.#options.run(due);
      if (end.kind === 'skipped' && !due.asked) this.#options.skipped(due, end.reason);
      if (end.kind === 'ended' && end.retry_after_ms !== null) {
        const pause = Math.min(end.retry_after_ms, LONGEST_PAUSE_MS);
        entry.blocked_until = this.#clock.mono_ms() + pause;
      }
      return end;
    } catch (error) {
      this.#options.failed(due, error);
      throw error;
    } finally {
      entry.running = null;
      this.#places.giveBack(due.target.name);
      if (entry.timer === null) this.#probes.delete(entry.key);
      this.#serve();
    }
  }
}

function unknownProbe(target: string, probe: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'probe_unknown',
    message: `expected a probe of the configuration, found ${JSON.stringify(probe)} at ${JSON.stringify(target)}`,
    hint: 'see /config for the targets and their probes',
    exitCode: EXIT.usage,
  });
}

/** Waits until all have ended, however they did, and no longer than this. */
async function endsWithin(
  clock: Pick<ProbeClock, 'setTimer'>,
  ends: readonly Promise<unknown>[],
  ms: number,
): Promise<void> {
  if (ends.length === 0) return;
  let cancel = () => {};
  const limit = new Promise<void>((resolve) => {
    cancel = clock.setTimer(ms, resolve);
  });
  await Promise.race([Promise.allSettled(ends), limit]);
  cancel();
}

interface SchedulerOptions {
  readonly clock: ProbeClock;
  /** Runs at a time over all targets; each target has a cap of its own in the plan. */
  readonly concurrency: number;
  /** What moves phases and jitter, so that two daemons of one plan do not start together. */
  readonly seed?: string;
  run(due: DueRun): Promise<RunEnd>;
  /** A planned run that was not made. */
  skipped(probe: TargetProbe, reason: SkipReason): void;
  /** Milliseconds between the planned and the real start of a run. */
  lag(ms: number): void;
  /** `run` threw, which is our own fault. */
  failed(due: DueRun, error: unknown): void;
}
