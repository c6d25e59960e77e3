import type { ResolvedConfig } from '../config/resolved-config.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { PlanTarget, ScenarioPlan } from '../contracts/plan.ts';
import { parseAmount } from '../core/amount.ts';
import { plannedStarts } from '../workload/arrival.ts';
import { largestSize } from '../workload/seeded-order.ts';

type Limits = Pick<ResolvedConfig, 'spend' | 'target'>;

/**
 * Most calls of a run; null for as many as are planned. Where nothing has a price, a guess turns `max_usd` into a number of
 * calls. Throws `spend_unbounded` (exit 2) where neither a number nor a guess bounds what a target of others may charge.
 */
export function mostCalls({ spend, target: { bases } }: Limits, target: PlanTarget): number | null {
  const { max_calls, max_usd, assume_usd_per_call } = spend;
  if (target.bill === 'served') return max_calls;
  if (max_calls === null && assume_usd_per_call === null && (bases?.loopback !== true || max_usd !== null))
    throw unbounded(target, max_usd, bases?.loopback === true);
  const guess = parseAmount(assume_usd_per_call);
  const most = parseAmount(max_usd);
  if (guess === null || most === null || guess === 0n) return max_calls;
  return Math.min(max_calls ?? Number.POSITIVE_INFINITY, Number(most / guess));
}

function unbounded({ name }: PlanTarget, max_usd: string | null, loopback: boolean): WeighbridgeError {
  const found =
    max_usd === null
      ? ''
      : ` A cap of $${max_usd} alone cannot be kept, since it needs a price for each call.`;
  return new WeighbridgeError({
    code: 'spend_unbounded',
    message: `${name} publishes no prices, so the cost of its calls is unknown.${found}`,
    hint: `${loopback ? 'Leave out the cap, or give' : 'Give'} --max-calls N. Or give --assume-usd-per-call X together with --max-spend-usd.`,
  });
}

/** The scenarios with so few starts that all their calls are within the limit; 0 starts: there is no room for one. */
export function withinCalls(
  scenarios: readonly ScenarioPlan[],
  most: number | null,
  attempts: number,
): readonly ScenarioPlan[] {
  if (most === null) return scenarios;
  const starts = scenarios.map(({ arrival }) => plannedStarts(arrival) ?? arrival.max_calls);
  const total = starts.reduce<number | null>((sum, of) => (sum === null || of === null ? null : sum + of), 0);
  return scenarios.map((scenario, index) => {
    // Closed loops without an end of their own share alike.
    const own = starts[index] ?? 0;
    const share = total === null || total === 0 ? 1 / scenarios.length : own / total;
    const room = Math.floor((most * share) / callsPerStart(scenario, attempts));
    const { arrival } = scenario;
    return { ...scenario, arrival: { ...arrival, max_calls: Math.min(room, arrival.max_calls ?? room) } };
  });
}

/** A session makes as many calls as it has turns; a job may fall back to the synchronous route. */
function callsPerStart({ kind, text }: ScenarioPlan, attempts: number): number {
  return attempts * largestSize(text?.session?.turns ?? 1) * (kind.endsWith('_job') ? 2 : 1);
}
