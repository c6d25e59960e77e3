import type { Objective } from '../../src/contracts/plan.ts';

/**
 * The objectives as k6 thresholds, over the measured phase of the scenarios named. They decide no exit code, which the
 * ledger does, but show in k6's own output, and judge the same calls (xk6/module/judged_samples.go). Each is on a Rate:
 * `p(95)<=x` on a Trend would make k6 keep every sample, and a share of at least 95 % within x says the same. What rests on the whole run (goodput, money) has no threshold.
 * The names of the metrics are not imported: each virtual user would hold the whole catalogue.
 */
export function thresholdsOf(objectives: readonly Objective[], scenarios: readonly string[]) {
  const thresholds: Record<string, string[]> = {};
  objectives.forEach((objective, index) => {
    if (!scenarios.includes(objective.scenario)) return;
    const found = thresholdOf(objective, index);
    if (found === null) return;
    const [metric, bound] = found;
    thresholds[metric] = [...(thresholds[metric] ?? []), bound];
  });
  return thresholds;
}

function thresholdOf(objective: Objective, index: number): readonly [string, string] | null {
  const { scenario, measure, percentile, max, min } = objective;
  const attained = (name: string) => `weighbridge_attained{scenario:${scenario},objective:${name}}`;
  switch (measure) {
    case 'ttft_ms':
    case 'tpot_ms':
    case 'e2e_ms':
      return [attained(String(index)), `rate>=${share((percentile ?? 100) / 100)}`];
    case 'attainment_share':
      return [attained('good'), `rate>=${share(min ?? 0)}`];
    case 'error_share':
      return [`weighbridge_ok{scenario:${scenario},phase:measured}`, `rate>=${share(1 - (max ?? 1))}`];
    case 'dropped_share':
      return [`weighbridge_dropped{scenario:${scenario}}`, `rate<=${share(max ?? 1)}`];
    default:
      return null;
  }
}

/** Without the representation error of differences such as 1 − 0.9. */
function share(value: number): number {
  return Number(value.toFixed(9));
}
