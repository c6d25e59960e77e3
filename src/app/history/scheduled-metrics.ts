import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { PROBE_METRICS } from '../../contracts/metrics/probe-metrics.ts';
import type { ScheduledRun } from '../../contracts/scheduled-run.ts';
import { scheduledSamples } from '../../contracts/scheduled-samples.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { type Family, familyLines } from '../../report/files/open-metrics.ts';
import { readScheduledRun } from '../../state/scheduled-run-file.ts';

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
    message: `--metrics-file ${path}: expected to write a file for a textfile collector, found ${found}`,
    hint: 'give a path in a folder that exists, such as /var/lib/weighbridge/metrics/weighbridge.prom',
  });
}
