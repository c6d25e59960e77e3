import { basename } from 'node:path';
import { exitStatus } from '../../contracts/exit-code.ts';
import type { ScheduledRun } from '../../contracts/scheduled-run.ts';
import { formatInstant } from '../../core/time.ts';
import { readScheduledRun, writeScheduledRun } from '../../state/scheduled-run-file.ts';
import { type RunVerdict, readVerdict } from './kept-runs.ts';

/** A run that a schedule has started, and when the next is to follow. */
export interface Scheduled {
  /** `<state>/<target>`; null for the embedded gateway, of which nothing is kept. */
  readonly home: string | null;
  readonly target: string;
  readonly began_ms: number;
  /** Null where it is no schedule that has started it. */
  readonly every_ms: number | null;
}

/** Said before the run, so that nobody waits for an alert that cannot come. */
export function unnotedWords({ home, every_ms }: Pick<Scheduled, 'home' | 'every_ms'>): string | null {
  if (every_ms === null || home !== null) return null;
  return '--every: nothing is noted of this schedule, the embedded gateway keeps no state: give --target';
}

/**
 * Keeps what the run of a schedule came to, for those who wait for it. One that was refused, or died, leaves no verdict and
 * changes nothing: it is missing.
 */
export function noteScheduledRun(
  runDir: string,
  { home, target, began_ms, every_ms }: Scheduled,
  now_ms = Date.now(),
): void {
  const verdict = readVerdict(runDir);
  if (home === null || every_ms === null || verdict === null) return;
  const run_id = basename(runDir);
  const [began_at, ended_at] = [formatInstant(began_ms), formatInstant(now_ms)];
  writeScheduledRun(home, { run_id, target, began_at, ended_at, every_ms, ...outcomeOf(verdict) });
}

/** After a later read of the same run: its verdict may be another, its time is not. */
export function noteLaterVerdict(runDir: string, home: string | null): void {
  const verdict = home === null ? null : readVerdict(runDir);
  const noted = home === null ? null : readScheduledRun(home);
  if (home === null || verdict === null || noted?.run_id !== basename(runDir)) return;
  writeScheduledRun(home, { ...noted, ...outcomeOf(verdict) });
}

function outcomeOf({ exits, money }: RunVerdict): Pick<ScheduledRun, 'exit_status' | 'usd'> {
  return {
    exit_status: exitStatus(exits.map(({ code }) => code)),
    usd: {
      charged: money?.charged ?? null,
      expected: money?.expected ?? null,
      certain_over: money?.certain_over ?? null,
      certain_under: money?.certain_under ?? null,
    },
  };
}
