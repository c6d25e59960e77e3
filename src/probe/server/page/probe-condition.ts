import type { ProbeView } from '../../view/daemon-view.ts';

/** `late`: a run should have ended long ago, so what is known of it is old. */
export type ProbeCondition = 'well' | 'fails' | 'held' | 'late' | 'waits';

/** A failure stands until a run is well again, whatever holds the probe meanwhile. */
export function probeCondition(probe: ProbeView, now_ms: number): ProbeCondition {
  const last = probe.runs.at(-1);
  if (last !== undefined && last.error_type !== 'none') return 'fails';
  if (probe.held !== null) return 'held';
  if (last === undefined) return 'waits';
  return now_ms - last.ended_ms > longestQuiet(probe) ? 'late' : 'well';
}

/** Two starts are less than two intervals apart, for each lies somewhere in its own; another one and the time of a run are patience. */
function longestQuiet({ interval_ms, runs }: ProbeView): number {
  return 3 * interval_ms + Math.max(...runs.map(({ duration_ms }) => duration_ms));
}

export const CONDITION_WORDS: Readonly<Record<ProbeCondition, string>> = {
  well: 'well',
  fails: 'fails',
  held: 'held',
  late: 'late',
  waits: 'has not run yet',
};
