import type { PaidResult } from '../../client/paid/paid-result.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { BLAME_OF, type ErrorType } from '../../contracts/outcome.ts';
import type { DueRun } from '../schedule/due-run.ts';
import type { ProbeRun, RunSpend } from '../view/probe-run.ts';
import { NO_RUN_FACTS, type RunFacts, type RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** When a run began, by both clocks. */
export interface RunStart {
  readonly wall_ms: number;
  readonly mono_ms: number;
}

export function startNow({ clock }: Pick<TargetMeans, 'clock'>): RunStart {
  return { wall_ms: clock.now_ms(), mono_ms: clock.mono_ms() };
}

/** Wall time as it would be had nobody set the clock since the start: from one to another of these is how long it took. */
export function steadyNow({ clock }: Pick<TargetMeans, 'clock'>, start: RunStart): number {
  return start.wall_ms + (clock.mono_ms() - start.mono_ms);
}

/** What is not said is nothing; of the blame that of the error type, of the duration the time from the start to now. */
export type RunSaid = Pick<ProbeRun, 'error_type' | 'why'> &
  Partial<Omit<ProbeRun, 'target' | 'probe' | 'started_ms' | 'ended_ms'>>;

/** A run that ends now, and what it saw. */
export function endedRun(
  { clock }: Pick<TargetMeans, 'clock'>,
  due: Pick<DueRun, 'target' | 'probe'>,
  start: RunStart,
  { error_type, why, ...said }: RunSaid,
  facts: Partial<RunFacts> = {},
): RunOutcome {
  const run: ProbeRun = {
    target: due.target.name,
    probe: due.probe.name,
    started_ms: start.wall_ms,
    ended_ms: clock.now_ms(),
    duration_ms: clock.mono_ms() - start.mono_ms,
    error_type,
    blame: BLAME_OF[error_type],
    why,
    request_id: null,
    statuses: [],
    retry_after_ms: null,
    phases: null,
    tls_not_after_ms: null,
    rows: [],
    spend: null,
    ...said,
  };
  return { kind: 'ended', run, facts: { ...NO_RUN_FACTS, ...facts } };
}

/** What one paid call has to say of the run that made it. `rows`: its own and those of free reads that belong to it. */
export function saidOfCall(
  { row, verdict, phases, tls_not_after_ms }: PaidResult,
  rows: readonly CallRow[],
  expected: string,
  spend: RunSpend,
): RunSaid {
  return {
    ...verdict,
    why: whyOf(row, verdict.error_type, expected),
    request_id: row.request_id,
    statuses: statusesOf(rows),
    retry_after_ms: retryAfterMs(rows),
    phases,
    tls_not_after_ms,
    rows,
    spend,
  };
}

/** What was expected of a call and what came instead; null where all was well. */
function whyOf(row: CallRow, error_type: ErrorType, expected: string): string | null {
  if (error_type === 'none') return null;
  const status = row.status === null ? '' : `HTTP ${row.status} `;
  const code = row.error_code === null ? '' : ` (${row.error_code})`;
  const found = row.error_message ?? error_type.replaceAll('_', ' ');
  return `expected ${expected}, found ${status}${found}${code}`;
}

export function retryAfterMs(rows: readonly CallRow[]): number | null {
  const seconds = rows.findLast((row) => row.retry_after_s !== null)?.retry_after_s ?? null;
  return seconds === null ? null : seconds * 1000;
}

export function statusesOf(rows: readonly CallRow[]): readonly number[] {
  return rows.flatMap(({ status }) => status ?? []);
}
