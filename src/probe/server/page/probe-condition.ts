import type { ProbeApi } from '../../../contracts/probe-plan.ts';
import type { ProbeView } from '../../view/daemon-view.ts';

/** `silent`: its run waits for an answer for far too long. `overdue`: a run should have ended long ago. */
export type ProbeCondition = 'works' | 'fails' | 'silent' | 'paused' | 'overdue' | 'new';

/** A failure stands until a run is good again, whatever keeps the probe from running meanwhile. */
export function probeCondition(probe: ProbeView, now_ms: number): ProbeCondition {
  const { runs, held, running_since_ms } = probe;
  const last = runs.at(-1);
  if (last !== undefined && last.error_type !== 'none') return 'fails';
  if (running_since_ms !== null && now_ms - running_since_ms > longestWait(probe)) return 'silent';
  if (held !== null && !BY_ITS_OWN_RUN.includes(held)) return 'paused';
  if (last === undefined) return 'new';
  return now_ms - last.ended_ms > longestQuiet(probe) ? 'overdue' : 'works';
}

/** A start is left out while the run before it goes on: what that run is like says more. */
const BY_ITS_OWN_RUN: readonly string[] = ['overlap', 'concurrency'];

const LEAST_WAIT_MS = 10_000;
/** A picture takes its time. */
const IMAGE_WAIT_MS = 60_000;
/** Polled for minutes; their probe fails by its own limit. */
const TASKS: readonly ProbeApi[] = ['image_job', 'image_edit_job', 'video'];

/** Three times as long as its slowest good run, and never less than ten seconds. */
function longestWait({ api, runs }: ProbeView): number {
  if (TASKS.includes(api)) return Number.POSITIVE_INFINITY;
  const good = runs.filter(({ error_type }) => error_type === 'none').map(({ duration_ms }) => duration_ms);
  return Math.max(api.startsWith('image') ? IMAGE_WAIT_MS : LEAST_WAIT_MS, ...good.map((ms) => 3 * ms));
}

/** Two starts are less than two intervals apart, for each lies somewhere in its own; another one and the time of a run are patience. */
function longestQuiet({ interval_ms, runs }: ProbeView): number {
  return 3 * interval_ms + Math.max(...runs.map(({ duration_ms }) => duration_ms));
}

export const CONDITION_WORDS: Readonly<Record<ProbeCondition, string>> = {
  works: 'works',
  fails: 'fails',
  silent: 'no answer',
  paused: 'paused',
  overdue: 'overdue',
  new: 'not run yet',
};
