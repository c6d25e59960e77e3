import type { ProbeView } from '../../view/daemon-view.ts';

/** `late`: its next run should have begun long ago, so what is known of it is old. */
export type ProbeCondition = 'well' | 'fails' | 'held' | 'late' | 'waits';

/** A failure stands until a run is well again, whatever holds the probe meanwhile. */
export function probeCondition(probe: ProbeView, now_ms: number): ProbeCondition {
  const last = probe.runs.at(-1);
  if (last !== undefined && last.error_type !== 'none') return 'fails';
  if (probe.held !== null) return 'held';
  if (probe.next_ms !== null && now_ms - probe.next_ms > probe.interval_ms) return 'late';
  return last === undefined ? 'waits' : 'well';
}

export const CONDITION_WORDS: Readonly<Record<ProbeCondition, string>> = {
  well: 'well',
  fails: 'fails',
  held: 'held',
  late: 'late',
  waits: 'has not run yet',
};
