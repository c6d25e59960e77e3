import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exitStatus } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { PROBE_METRICS } from '../../contracts/metrics/probe-metrics.ts';
import type { ScheduledRun } from '../../contracts/scheduled-run.ts';
import { scheduledSamples } from '../../contracts/scheduled-samples.ts';
import { formatInstant } from '../../core/time.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { type Family, familyLines } from '../../report/files/open-metrics.ts';
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

/**
 * Writes the last scheduled run of each target under `state` to `path`, as gauges that Prometheus text and OpenMetrics read
 * alike: a textfile collector knows only the first. Renamed into place, so that it never reads half a file.
 */
export function writeScheduledMetrics(path: string, state: string): void {
  // The collector passes over every other name.
  if (!path.endsWith('.prom')) throw unwritable(path, 'a name that does not end with .prom');
  try {
    replaceFile(path, scheduledMetrics(scheduledRuns(state)));
  } catch (cause) {
    if (cause instanceof WeighbridgeError) throw cause;
    throw unwritable(path, cause instanceof Error ? cause.message : String(cause));
  }
}

function scheduledRuns(state: string): readonly ScheduledRun[] {
  const folders = existsSync(state) ? readdirSync(state).sort() : [];
  return folders.flatMap((name) => readScheduledRun(join(state, name)) ?? []);
}

function scheduledMetrics(runs: readonly ScheduledRun[]): string {
  const told = runs.map((run) => ({ at: { target: run.target }, samples: scheduledSamples(run) }));
  const each = (value: (of: (typeof told)[number]['samples']) => string) =>
    told.map(({ at, samples }) => ({ labels: at, value: value(samples) }));
  const families: readonly Family[] = [
    family(
      'weighbridge_scheduled_run_end_timestamp_seconds',
      each(({ end_s }) => end_s),
    ),
    family(
      'weighbridge_scheduled_run_expected_timestamp_seconds',
      each(({ expected_s }) => expected_s),
    ),
    family(
      'weighbridge_scheduled_run_exit_status',
      each(({ exit_status }) => exit_status),
    ),
    family(
      'weighbridge_scheduled_run_usd',
      told.flatMap(({ at, samples }) =>
        samples.usd.map(({ line, value }) => ({ labels: { ...at, line }, value })),
      ),
    ),
  ];
  return [...families.flatMap(familyLines), '# EOF', ''].join('\n');
}

function family(name: keyof typeof PROBE_METRICS, samples: Family['samples']): Family {
  return { name, unit: null, help: PROBE_METRICS[name].help, samples };
}

function unwritable(path: string, found: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'metrics_file_unwritable',
    message: `The file ${path} of --metrics-file cannot be written: ${found}.`,
    hint: 'Give a path in an existing folder, such as /var/lib/weighbridge/metrics/weighbridge.prom.',
  });
}
