import type { DueRun, RunEnd, SkipReason, TargetProbe } from './due-run.ts';
import type { ProbeClock } from './probe-clock.ts';

export interface SchedulerOptions {
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
