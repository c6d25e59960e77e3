import { FREE_LOAD } from '../config/defaults.ts';
import { formatRate } from '../config/rate.ts';
import type { Permission, ResolvedConfig, ResolvedTraffic } from '../config/resolved-config.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { Arrival, ScenarioPlan } from '../contracts/plan.ts';
import { parseInstant } from '../core/time.ts';
import { peakMillirate } from '../workload/peak-rate.ts';
import { largestSize } from '../workload/seeded-order.ts';
import { buildArrival } from './build-arrival.ts';

/** True where the target could belong to somebody else. */
function needsPermission(config: ResolvedConfig): boolean {
  return config.target.bases !== null && !config.target.bases.loopback;
}

/** What a plan reaches at most, retries and turns of sessions included. */
interface Reach {
  /** Calls per 1,000 s, of random arrivals the mean; null where nothing bounds them: answers set a closed loop's pace. */
  readonly millirate: number | null;
  readonly inFlight: number;
}

/** Refuses (exit 2) a plan above 2 calls/s or 5 in flight, or above what the permission allows. */
export function checkPermission(
  config: ResolvedConfig,
  scenarios: readonly ScenarioPlan[],
  nowMs: number,
  tracePeak = 0,
): void {
  if (!needsPermission(config)) return;
  const reach = reachOf(config, scenarios, tracePeak);
  const planned = `The plan reaches ${reachText(reach, scenarios)}`;
  const { permission } = config.target;
  if (permission === null) {
    if (isWithin(reach, FREE_LOAD.millirate, FREE_LOAD.in_flight)) return;
    throw refused(
      `Without target.permission, at most 2/s and 5 in flight are allowed on this target. ${planned}.`,
    );
  }
  if (nowMs >= endOf(permission))
    throw refused(`The target.permission by ${permission.by} ended at ${permission.until}.`);
  const { max_rps, max_in_flight } = permission;
  const isSlow = max_rps === null || (reach.millirate !== null && reach.millirate <= max_rps * 1_000);
  if (isSlow && (max_in_flight === null || reach.inFlight <= max_in_flight)) return;
  const allowed = [
    ...(max_rps === null ? [] : [`${max_rps}/s`]),
    ...(max_in_flight === null ? [] : [`${max_in_flight} in flight`]),
  ].join(' and ');
  throw refused(`The target.permission by ${permission.by} allows ${allowed}. ${planned}.`);
}

/** `tracePeak`: most starts of a trace within a second, per 1,000 s. */
function reachOf(config: ResolvedConfig, scenarios: readonly ScenarioPlan[], tracePeak: number): Reach {
  const attempts = config.retry.max_attempts;
  const open = peakMillirate(scenarios.map((scenario) => multiplied(scenario, attempts)));
  const peak = open + tracePeak * attempts;
  const isClosed = scenarios.some(({ arrival }) => arrival.concurrency !== null);
  const most = config.http.rps === null ? Number.POSITIVE_INFINITY : config.http.rps * 1_000;
  const millirate = Math.min(isClosed ? Number.POSITIVE_INFINITY : peak, most);
  return {
    millirate: Number.isFinite(millirate) ? millirate : null,
    inFlight: inFlightOf(config, scenarios),
  };
}

/** Each start is as many calls as its session has turns and each turn attempts. */
function multiplied(scenario: ScenarioPlan, attempts: number): Arrival {
  const factor = attempts * turnsOf(scenario);
  const stages = scenario.arrival.stages.map((stage) => ({
    ...stage,
    from_millirate: stage.from_millirate * factor,
    to_millirate: stage.to_millirate * factor,
  }));
  return { ...scenario.arrival, stages };
}

function turnsOf({ text }: ScenarioPlan): number {
  return largestSize(text?.session?.turns ?? 1);
}

function inFlightOf(config: ResolvedConfig, scenarios: readonly ScenarioPlan[]): number {
  const byModel = new Map<string, number>();
  for (const { model, max_in_flight } of scenarios)
    byModel.set(model, (byModel.get(model) ?? 0) + max_in_flight);
  const sum = [...byModel].reduce(
    (total, [model, count]) => total + Math.min(count, config.models.get(model)?.max_in_flight ?? count),
    0,
  );
  return Math.min(sum, config.limits.max_in_flight ?? sum);
}

function isWithin({ millirate, inFlight }: Reach, mostMillirate: number, mostInFlight: number): boolean {
  return millirate !== null && millirate <= mostMillirate && inFlight <= mostInFlight;
}

function reachText({ millirate, inFlight }: Reach, scenarios: readonly ScenarioPlan[]): string {
  const flight = `${inFlight} calls in flight`;
  if (millirate === null) return `an unlimited rate (a closed loop without http.rps) and ${flight}`;
  const isRandom = scenarios.some(({ arrival }) => arrival.process !== 'even');
  return `${formatRate(Math.ceil(millirate))}${isRandom ? ' (the mean of its random arrivals)' : ''} and ${flight}`;
}

/** The default traffic, which nobody asked for in this amount, made small enough to need no permission. */
export function withinFreeLoad(
  traffic: readonly ResolvedTraffic[],
  config: ResolvedConfig,
): readonly ResolvedTraffic[] {
  if (!needsPermission(config) || config.target.permission !== null || !config.default_traffic)
    return traffic;
  const peak = peakMillirate(traffic.map((entry) => buildArrival(entry, config.duration_ms)));
  const scaled = (millirate: number): number =>
    peak <= FREE_LOAD.millirate ? millirate : Math.floor((millirate * FREE_LOAD.millirate) / peak);
  return traffic.map((entry, index) => ({
    ...entry,
    millirate: scaled(entry.millirate),
    stages: entry.stages.map((stage) => ({ ...stage, millirate: scaled(stage.millirate) })),
    max_in_flight: Math.min(entry.max_in_flight, Math.floor((FREE_LOAD.in_flight + index) / traffic.length)),
  }));
}

/** A day counts to its end. */
function endOf(permission: Permission): number {
  const ms = parseInstant(permission.until) ?? 0;
  return permission.until.length === 10 ? ms + 86_400_000 : ms;
}

function refused(message: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'permission_needed',
    message,
    hint: 'Lower the rates, turns, retries or max_in_flight. If the owner of the target agrees, give --permission NAME:YYYY-MM-DD or set target.permission.',
  });
}
