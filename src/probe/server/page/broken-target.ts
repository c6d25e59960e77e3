import type { TargetView } from '../../view/daemon-view.ts';
import { probeCondition } from './probe-condition.ts';

/** So many probes must fail or wait: one alone may be its model. */
const ENOUGH = 3;

/**
 * Since when no request to the target succeeds: every probe that has run since its last good answer fails or waits.
 * Undefined while that does not hold; null where the daemon has seen no good answer at all. The alert WeighbridgeTargetDown
 * asks the same of the metrics.
 */
export function brokenSince({ probes }: TargetView, now_ms: number): number | null | undefined {
  const newest = Math.max(
    ...probes.map(({ last_success_ms }) => last_success_ms ?? Number.NEGATIVE_INFINITY),
  );
  const broken = probes.filter((probe) => {
    const condition = probeCondition(probe, now_ms);
    if (condition === 'fails') return (probe.runs.at(-1)?.ended_ms ?? 0) > newest;
    return condition === 'silent' && (probe.running_since_ms ?? 0) > newest;
  });
  if (broken.length === 0 || broken.length < Math.min(ENOUGH, probes.length)) return undefined;
  return newest === Number.NEGATIVE_INFINITY ? null : newest;
}
