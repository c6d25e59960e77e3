import { formatRate } from '../config/rate.ts';
import type { Permission, ResolvedConfig, ResolvedTraffic } from '../config/resolved-config.ts';
import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';
import type { ScenarioPlan } from '../core/plan.ts';
import { parseInstant } from '../core/time.ts';
import { buildArrival, peakMillirate } from './build-arrival.ts';

/** What a target that is not loopback bears without a permission. */
export const FREE_MILLIRATE = 2_000;
export const FREE_IN_FLIGHT = 5;

/** True where the target could belong to somebody else. */
function needsPermission(config: ResolvedConfig): boolean {
  return config.target.bases !== null && !config.target.bases.loopback;
}

/** Refuses (exit 2) a plan above 2 calls/s or 5 in flight, or above what the permission allows. */
export function checkPermission(
  config: ResolvedConfig,
  scenarios: readonly ScenarioPlan[],
  nowMs: number,
): void {
  if (!needsPermission(config)) return;
  const peak = peakMillirate(scenarios.map(({ arrival }) => arrival));
  const inFlight = scenarios.reduce((sum, scenario) => sum + scenario.max_in_flight, 0);
  const planned = `the plan reaches ${formatRate(Math.ceil(peak))} and ${inFlight} calls in flight`;
  const { permission } = config.target;
  if (permission === null) {
    if (peak <= FREE_MILLIRATE && inFlight <= FREE_IN_FLIGHT) return;
    throw refused(
      `without target.permission at most 2/s and 5 in flight are allowed on this target; ${planned}`,
    );
  }
  if (nowMs >= endOf(permission))
    throw refused(`target.permission by ${permission.by} ended at ${permission.until}`);
  if (peak <= permission.max_rps * 1_000 && inFlight <= permission.max_in_flight) return;
  const allowed = `${permission.max_rps}/s and ${permission.max_in_flight} in flight`;
  throw refused(`target.permission by ${permission.by} allows ${allowed}; ${planned}`);
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
    peak <= FREE_MILLIRATE ? millirate : Math.floor((millirate * FREE_MILLIRATE) / peak);
  return traffic.map((entry, index) => ({
    ...entry,
    millirate: scaled(entry.millirate),
    stages: entry.stages.map((stage) => ({ ...stage, millirate: scaled(stage.millirate) })),
    max_in_flight: Math.min(entry.max_in_flight, Math.floor((FREE_IN_FLIGHT + index) / traffic.length)),
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
    hint: 'Lower rates and max_in_flight, or set target.permission {by, until, max_rps, max_in_flight}.',
    exitCode: EXIT.usage,
  });
}
