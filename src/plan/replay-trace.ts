import { LONGEST_MS } from '../config/duration.ts';
import { Layers } from '../config/layers.ts';
import { configInvalid } from '../config/problem.ts';
import { placeInFile } from '../config/read-yaml.ts';
import { phaseKey } from '../config/resolve-phases.ts';
import { resolveTraffic } from '../config/resolve-traffic.ts';
import type { ResolvedConfig, ResolvedTrace, ResolvedTraffic } from '../config/resolved-config.ts';
import type { Arrival, ScenarioPlan, TraceLine } from '../contracts/plan.ts';
import { isTokenKind } from '../core/call-kind.ts';
import { formatDecimal, multiplyDecimal, normalise, parseDecimal } from '../core/decimal.ts';
import { type ReplayedTrace, readTrace, TRACE_FILE, type TraceScenario } from './trace/read-trace.ts';

/** A configuration whose traffic is that of its trace. */
export interface Replay {
  /** As long as was asked for, else as the trace is. */
  readonly config: ResolvedConfig;
  /** The configuration that replays `trace.ndjson` from the run folder: its times are those of the run. */
  readonly stored: ResolvedConfig;
  readonly trace: ReplayedTrace;
}

/** Reads the trace that the configuration names; null where it names none. Throws what `readTrace` throws. */
export function replayTrace(config: ResolvedConfig): Replay | null {
  if (config.trace === null) return null;
  const isOpen = config.origins['duration'] === 'default';
  const trace = readTrace({
    file: config.trace.file,
    speed: speedOf(config.trace, config.rate_scale),
    kind: config.trace.kind,
    model: config.trace.model,
    until_ms: isOpen ? null : config.duration_ms,
    columns: config.trace.columns,
  });
  const duration_ms = isOpen ? lengthOf(trace) : config.duration_ms;
  if (duration_ms > LONGEST_MS) {
    const rule = 'must end within 31 days, or be cut by a duration: dates are read from a column timestamp';
    const found = `a start at ${trace.last_ms} ms`;
    throw configInvalid([{ at: config.trace.file, path: '', rule, found, suggestion: null }]);
  }
  if (config.warm_up_ms + config.cool_down_ms >= duration_ms) {
    const rule = `warm_up and cool_down must be together shorter than the trace, ${duration_ms / 1_000} s`;
    const key = phaseKey(config.origins);
    const at = placeInFile(config.file, [key]);
    throw configInvalid([{ at, path: key, rule, found: null, suggestion: null }]);
  }
  return {
    config: { ...config, duration_ms, traffic: trafficOf(config.trace, trace) },
    stored: {
      ...config,
      duration_ms,
      rate_scale: '1',
      trace: { ...config.trace, file: TRACE_FILE, columns: {}, speed: 1 },
    },
    trace,
  };
}

/** The scenario with its starts in the run folder's trace. */
export function traced(scenario: ScenarioPlan, trace: ReplayedTrace): ScenarioPlan {
  const calls = startsOf(trace, scenario.name).length;
  const arrival: Arrival = { ...scenario.arrival, trace: { file: TRACE_FILE, sha256: trace.sha256, calls } };
  return { ...scenario, arrival };
}

export function startsOf({ scenarios }: ReplayedTrace, name: string): readonly TraceLine[] {
  return scenarios.find((scenario) => scenario.name === name)?.starts ?? [];
}

/** Most starts of the scenarios within a second, per 1,000 s. */
export function peakOfTrace(trace: ReplayedTrace, scenarios: readonly ScenarioPlan[]): number {
  const times = scenarios
    .flatMap(({ name }) => startsOf(trace, name).map(({ at_us }) => at_us))
    .sort((left, right) => left - right);
  let most = 0;
  let first = 0;
  times.forEach((at, index) => {
    while (at - (times[first] ?? at) >= 1_000_000) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most * 1_000;
}

/**
 * To the next whole second after the last start, and at most by the mean gap between two starts beyond it: rates are per
 * second of it. A start at the very end of the duration would be too late.
 */
function lengthOf(trace: ReplayedTrace): number {
  const { last_ms } = trace;
  const times = trace.scenarios.flatMap(({ starts }) => starts.map(({ at_us }) => at_us / 1_000));
  const first = times.reduce((least, at) => Math.min(least, at), last_ms);
  // Starts that all stand at one time have no gap.
  const gap = last_ms > first ? (last_ms - first) / (times.length - 1) : 1_000;
  const whole = Math.ceil((last_ms + 1) / 1_000) * 1_000;
  return Math.max(Math.floor(last_ms) + 1, Math.min(whole, Math.ceil(last_ms + gap)));
}

function speedOf({ speed }: ResolvedTrace, rateScale: string): string {
  const [own, scale] = [parseDecimal(String(speed)), parseDecimal(rateScale)];
  if (own === null || scale === null) return String(speed);
  return formatDecimal(normalise(multiplyDecimal(own, scale)));
}

/** One entry for each scenario of the trace, with what its lines leave open. */
function trafficOf(
  { max_in_flight, body, text }: ResolvedTrace,
  { scenarios }: ReplayedTrace,
): ResolvedTraffic[] {
  const entries = scenarios.map(({ name, kind, model }: TraceScenario) => ({
    name,
    kind,
    max_in_flight,
    ...(model === null ? {} : { model }),
    ...(isTokenKind(kind)
      ? { body, stream: text.stream_share, prompt_tokens: text.prompt_tokens, max_tokens: text.max_tokens }
      : {}),
  }));
  return resolveTraffic(entries, '1', new Layers(), [], '');
}
