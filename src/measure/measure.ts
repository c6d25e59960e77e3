import type { EngineResult } from '../contracts/engine-result.ts';
import type { CallRow, LedgerHeader, StateLine } from '../contracts/ledger-lines.ts';
import type { FailedDownloads, LoadFigures, LoadResult, ObjectiveResult } from '../contracts/load-result.ts';
import type { Objective, Plan } from '../contracts/plan.ts';
import type { ClientVerdict } from '../contracts/result.ts';
import { PAID_KINDS } from '../core/call-kind.ts';
import { parseInstant } from '../core/time.ts';
import type { CallCosts } from './call-costs.ts';
import { callTimes } from './call-times.ts';
import { clientVerdict } from './client-verdict.ts';
import { type KindSample, kindSample } from './compare/kind-sample.ts';
import { whoCounted } from './counted-output.ts';
import { engineFigures } from './engine-figures.ts';
import { boundedTime } from './good-call.ts';
import { goodCost, isWithinUsd, per1000Text } from './good-cost.ts';
import { keyFigures } from './key-figures.ts';
import { ascending, latencyTable, roundedMs } from './latency-table.ts';
import { learntBy } from './learnt-manners.ts';
import { type LoadGroup, loadFigures } from './load-figures.ts';
import { type LoadSeries, loadSeries } from './load-series.ts';
import { type LogicalCall, logicalCalls } from './logical-call.ts';
import { type MeasuredWindow, measuredWindow, secondsOf, statesIn } from './measured-window.ts';
import { retriedUsd } from './retry-figures.ts';
import { lastStates } from './scenario-counts.ts';
import { scenarioGroup, together } from './scenario-group.ts';
import { scheduleZero } from './schedule-zero.ts';
import { unclosedInstances } from './starts-ended.ts';
import { type TimeDistributions, timeDistributions } from './time-distributions.ts';

export interface Measurement {
  readonly window: MeasuredWindow | null;
  readonly load: LoadResult;
  readonly client: ClientVerdict;
  /** Empty where one engine made the run. */
  readonly engines: readonly EngineResult[];
  readonly series: LoadSeries;
  /** A kind each. */
  readonly distributions: readonly TimeDistributions[];
  /** The calls behind the figures, a kind each, for a comparison with another run. */
  readonly samples: readonly KindSample[];
  /** USD of attempts that another one followed; null where it is not known. */
  readonly retriedUsd: string | null;
}

export interface MeasureInput {
  readonly plan: Plan;
  readonly rows: Iterable<CallRow>;
  readonly states: Iterable<StateLine>;
  /** The first lines of the ledger files, which name the engines; left out where one made the run. */
  readonly headers?: readonly LedgerHeader[];
  /** Null: from the end of the warm-up on, as long as the plan starts calls, or until a halt ended the starts. */
  readonly window: MeasuredWindow | null;
  /** CPU cores that the load generator had. */
  readonly cores: number;
  /** USD of the calls, from the reconciliation; null where no bill was read. */
  readonly costs: CallCosts | null;
}

/** Figures of one run from its ledger. A pure function: the same lines give the same bytes. */
export function measure(input: MeasureInput): Measurement {
  const { plan, cores } = input;
  const states = [...input.states].filter((state) => state.run_id === plan.run_id);
  const rows = [...input.rows].filter((row) => row.run_id === plan.run_id);
  const all = logicalCalls(rows);
  const window = input.window ?? measuredWindow(plan, all, states);
  const seconds = window === null ? 0 : secondsOf(window);
  const from = parseInstant(window?.start ?? '');
  const last = lastStates(states);
  const groups = plan.workload.scenarios.map((scenario) =>
    scenarioGroup({ scenario, all, last, seconds, from, plan, costs: input.costs }),
  );
  const figures = new Map(groups.map((group) => [group.scenario.name, loadFigures(group)]));
  const kindGroups = PAID_KINDS.flatMap((kind) => {
    const ofKind = groups.filter((group) => group.scenario.kind === kind);
    return ofKind.length === 0 ? [] : [{ kind, group: together(ofKind) }];
  });
  const sent = groups.flatMap(({ calls }) => calls);
  const keys = keyFigures(sent);
  const headers = (input.headers ?? []).filter((header) => header.run_id === plan.run_id);
  const judged = statesIn(window, states);
  const engines = engineFigures({ headers, states, judged, calls: all });
  const lags = groups.flatMap((group) => group.calls.flatMap((call) => call.scheduleLagMs ?? []));
  return {
    window,
    load: {
      measured_s: roundedMs(seconds),
      scenarios: groups.flatMap(({ scenario: { name, kind, model } }) => {
        const own = figures.get(name);
        return own === undefined ? [] : [{ scenario: name, kind, model, ...own, ...learntBy(name, last) }];
      }),
      kinds: kindGroups.map(({ kind, group }) => ({ kind, ...loadFigures(group) })),
      total: loadFigures(together(groups)),
      failed_downloads: failedDownloads(sent, rows),
      ...whoCounted(plan, sent),
      objectives: plan.workload.objectives.flatMap((objective) => {
        const group = groups.find(({ scenario }) => scenario.name === objective.scenario);
        const own = figures.get(objective.scenario);
        return group === undefined || own === undefined ? [] : [judgeObjective(objective, group, own)];
      }),
      ...(keys === undefined ? {} : { keys }),
    },
    client: clientVerdict({
      plan,
      states: judged,
      lagP99: latencyTable(ascending(lags))?.p99 ?? null,
      unclosed: unclosedInstances(all, states),
      cores,
      engines,
    }),
    engines,
    series: loadSeries(all, scheduleZero(plan, all, states), plan.workload.scenarios),
    distributions: kindGroups.map(({ kind, group }) => timeDistributions(kind, group.calls)),
    samples: kindGroups.map(({ kind, group }) =>
      kindSample(kind, group.calls, group.objectives, input.costs),
    ),
    retriedUsd: input.costs === null ? null : retriedUsd(all, input.costs),
  };
}

/** Judges one objective over the measured calls of its scenario, whose figures are `figures`. */
function judgeObjective(objective: Objective, group: LoadGroup, figures: LoadFigures): ObjectiveResult {
  const { scenario, measure, percentile: percent, max, min, max_usd } = objective;
  const bounds = { scenario, measure, percentile: percent, max, min, max_usd };
  if (measure === 'usd_per_1000_good') {
    const cost = goodCost(group.calls, figures.good, group.costs);
    const met = cost !== null && max_usd !== null && isWithinUsd(cost, max_usd);
    return {
      ...bounds,
      actual: null,
      actual_usd: cost === null ? null : per1000Text(cost),
      actual_at_most: cost?.at_most ?? false,
      met,
    };
  }
  const actual = actualOf(objective, group.calls, figures);
  return {
    ...bounds,
    actual,
    actual_usd: null,
    actual_at_most: false,
    met: actual !== null && isWithin(actual, objective),
  };
}

function isWithin(value: number, { max, min }: Objective): boolean {
  return (max === null || value <= max) && (min === null || value >= min);
}

function actualOf(objective: Objective, calls: readonly LogicalCall[], figures: LoadFigures): number | null {
  switch (objective.measure) {
    case 'dropped_share':
      return figures.planned === 0 ? null : figures.dropped / figures.planned;
    case 'error_share':
      return errorShare(calls);
    case 'goodput_rate':
      return figures.goodput;
    case 'attainment_share':
      return figures.attainment;
    default:
      return valueAtRank(ascending(timesOf(objective, calls)), objective.percentile ?? 100);
  }
}

function errorShare(calls: readonly LogicalCall[]): number | null {
  const judged = calls.filter((call) => call.judged);
  if (judged.length === 0) return null;
  return judged.filter((call) => call.last.outcome !== 'ok').length / judged.length;
}

function timesOf(objective: Objective, calls: readonly LogicalCall[]): readonly number[] {
  return calls
    .filter((call) => call.last.outcome === 'ok')
    .flatMap((call) => boundedTime(callTimes(call), objective) ?? []);
}

/** The results of these calls that could not be downloaded, by how the last read of each failed, the commonest first. */
export function failedDownloads(
  calls: readonly LogicalCall[],
  rows: Iterable<CallRow>,
): readonly FailedDownloads[] {
  const lost = calls.filter(({ last }) => last.error_type === 'download_failed');
  if (lost.length === 0) return [];
  const reads = new Map<string, CallRow>();
  for (const row of rows) {
    const isRead = row.kind === 'download' || row.kind === 'result';
    if (isRead && row.outcome !== 'ok') reads.set(keyOf(row), row);
  }
  // Without a row of its own, a read tells no more than that it failed.
  const causes = lost.map(({ last }) => reads.get(keyOf(last)) ?? { ...last, status: null });
  const groups = Map.groupBy(causes, ({ outcome, error_type, status }) =>
    JSON.stringify([outcome, error_type, status]),
  );
  return [...groups]
    .sort(([left, some], [right, others]) => others.length - some.length || (left < right ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      const { outcome, error_type, status } = first;
      return [{ outcome, error_type, status, count: group.length }];
    });
}

function keyOf({ instance, logical_id, attempt }: CallRow): string {
  return JSON.stringify([instance, logical_id, attempt]);
}

/** Below what a double can be wrong by in a product of a share and a count of calls. */
const EPSILON = 1e-9;

/**
 * The smallest of the ascending values that at least `percent` % of them do not pass; null for none. It is within a bound
 * exactly when at least so many calls are, which is what a k6 threshold counts (scenarios/lib/thresholds-of.ts). The
 * interpolated percentile of a few calls can be within a bound that one call too many has passed.
 */
export function valueAtRank(sorted: readonly number[], percent: number): number | null {
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length - EPSILON));
  const value = sorted[rank - 1];
  return value === undefined ? null : roundedMs(value);
}
