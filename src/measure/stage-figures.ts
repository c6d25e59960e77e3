import type { StageFigures } from '../contracts/time-figures.ts';
import { ascending, latencyTable, roundedMs } from './latency-table.ts';
import type { LogicalCall } from './logical-call.ts';

/** How the time of jobs divides, of ok calls that were one; null where none was. */
export function stageFigures(ok: readonly LogicalCall[]): StageFigures | null {
  const jobs = ok.flatMap(({ last: { job, end_ms } }) => (job === null ? [] : [{ job, end_ms }]));
  if (jobs.length === 0) return null;
  const tableOf = (values: readonly (number | null)[]) =>
    latencyTable(ascending(values.filter((value) => value !== null)));
  return {
    count: jobs.length,
    queue: tableOf(jobs.map(({ job }) => job.queue_ms)),
    run: tableOf(jobs.map(({ job }) => job.run_ms)),
    rest: tableOf(
      jobs.map(({ job: { queue_ms, run_ms }, end_ms }) =>
        queue_ms === null || run_ms === null ? null : roundedMs(Math.max(0, end_ms - queue_ms - run_ms)),
      ),
    ),
    polls: roundedMs(jobs.reduce((sum, { job }) => sum + job.polls, 0) / jobs.length),
  };
}
