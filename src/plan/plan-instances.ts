import { WeighbridgeError } from '../contracts/failure.ts';
import type { Plan } from '../contracts/plan.ts';
import { formatAmount, parseAmount } from '../core/amount.ts';

/**
 * Throws `instances_without_place` (exit 2) where a k6 of so many would have starts and no place for them, or nothing to
 * start: it would refuse to run, after the others are up (xk6/arrivals/part.go).
 */
export function checkInstances(
  { limits, workload }: Pick<Plan, 'limits' | 'workload'>,
  instances: number,
): void {
  const places = workload.scenarios.map(({ arrival, max_in_flight }) => arrival.concurrency ?? max_in_flight);
  workload.scenarios.forEach(({ name, model }, index) => {
    // Places and limits are handed out in one order, so that a limit need not reach further than the places do.
    const needed = Math.min(places[index] ?? 0, instances);
    const caps: [string, number | null | undefined][] = [
      ['limits.max_in_flight', limits.max_in_flight],
      [`models.${model}.max_in_flight`, limits.max_in_flight_by_model[model]],
    ];
    for (const [key, limit] of caps) {
      if (limit != null && limit < needed)
        throw refused(
          `${key} must be at least ${needed}, so that ${name} has a place in each of ${instances} instances. It is ${limit}.`,
        );
    }
  });
  const { rps } = workload.http;
  if (rps !== null && rps < instances)
    throw refused(
      `http.rps must be at least ${instances}, which is 1 request per second for each instance. It is ${rps}.`,
    );
  const users = places.reduce((sum, each) => sum + Math.ceil(each / workload.calls_per_vu), 0);
  const most = Math.min(Math.max(0, ...places), users);
  if (places.length > 0 && most < instances)
    throw refused(
      `No scenario has a place in each of ${instances} instances. The largest has ${most} (max_in_flight or concurrency, divided by calls_per_vu).`,
    );
}

/** What each of so many instances may take of an amount: rounded down, as the load engine does. */
export function shareOf(usd: string, instances: number): string {
  return formatAmount((parseAmount(usd) ?? 0n) / BigInt(instances));
}

function refused(what: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'instances_without_place',
    message: what,
    hint: 'Raise the limit in the configuration, or plan fewer instances.',
  });
}
