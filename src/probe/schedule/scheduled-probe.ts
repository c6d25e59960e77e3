import type { RunEnd, TargetProbe } from './due-run.ts';
import type { DueSlot, SlotTimer } from './slot-timer.ts';

/** A run that is under way. */
interface Running {
  readonly controller: AbortController;
  /** Rejects only where the run is at fault itself. */
  readonly end: Promise<RunEnd>;
}

/** What is planned or under way of one probe of one target. */
export interface ScheduledProbe {
  readonly key: string;
  /** As last configured. */
  at: TargetProbe;
  /** Null: no longer in the plan. It stays known while its run is under way, lest it be started twice. */
  timer: SlotTimer | null;
  running: Running | null;
  /** A start that is due and waits for a place. */
  waiting: DueSlot | null;
  /** On the monotonic clock: not before it, for the target asked to wait. */
  blocked_until: number;
}

export function scheduledProbe(key: string, at: TargetProbe): ScheduledProbe {
  return { key, at, timer: null, running: null, waiting: null, blocked_until: Number.NEGATIVE_INFINITY };
}

export function probeKey(target: string, probe: string | null): string {
  return JSON.stringify([target, probe]);
}
