import type { LoadFigures } from '../contracts/load-result.ts';
import { OUTCOMES, type Outcome } from '../contracts/outcome.ts';
import type { Objective } from '../contracts/plan.ts';
import type { LatencyTables } from '../contracts/time-figures.ts';
import { isTextKind } from '../core/call-kind.ts';
import type { AskedArrivals } from './arrival-time.ts';
import type { CallCosts } from './call-costs.ts';
import { callTimes } from './call-times.ts';
import { failureGroups } from './failure-groups.ts';
import { goodCalls } from './good-call.ts';
import { abortedUsd, goodCost, per1000Text } from './good-cost.ts';
import { ascending, latencyTable } from './latency-table.ts';
import type { LogicalCall } from './logical-call.ts';
import { spanOfCalls } from './measured-window.ts';
import { retryFigures } from './retry-figures.ts';
import type { ScenarioCounts } from './scenario-counts.ts';
import { itlTable, stageFigures, streamFigures } from './stream-figures.ts';

/** What figures are made of: one scenario's, or several scenarios' taken together. */
export interface LoadGroup {
  /** Calls of the measured phase that were sent. */
  readonly calls: readonly LogicalCall[];
  readonly counts: ScenarioCounts;
  readonly asked: AskedArrivals;
  /** Seconds in which the starts were made: those of `asked`, or until the last start where that is later. */
  readonly sendSeconds: number;
  readonly measuredSeconds: number;
  readonly objectives: readonly Objective[];
  /** Null where no bill was read. */
  readonly costs: CallCosts | null;
  /** True where the target has none: then its throughput is told. */
  readonly withoutBill: boolean;
}

export function loadFigures(group: LoadGroup): LoadFigures {
  const { calls, counts, asked, sendSeconds, measuredSeconds, objectives } = group;
  const ok = calls.filter((call) => call.last.outcome === 'ok');
  const good = goodCalls(calls, objectives);
  const cost = goodCost(calls, good, group.costs);
  const latency = latencyTables(calls, ok);
  const tokens = tokensOf(calls);
  return {
    planned: counts.planned,
    started: counts.started,
    dropped: counts.dropped,
    held: counts.held,
    ok: ok.length,
    outcomes: outcomeCounts(calls),
    failures: failureGroups(calls),
    asked_rate: asked.calls === null ? null : perSecond(asked.calls, asked.seconds),
    achieved_rate: perSecond(counts.started, sendSeconds),
    goodput: perSecond(good, measuredSeconds),
    attainment: attainmentOf(calls, good),
    latency,
    tokens,
    ...(group.withoutBill ? { throughput: throughputOf(group, ok, latency) } : {}),
    good,
    retries: retryFigures(calls),
    streams: streamFigures(ok),
    stages: stageFigures(ok),
    usd_per_1000_good: cost === null ? null : per1000Text(cost),
    usd_per_1000_good_at_most: cost?.at_most ?? false,
    aborted_usd: abortedUsd(calls, group.costs),
  };
}

/**
 * Tokens of the last answers take time after the last start, so the time lasts until their end. Where an answer that is text
 * tells none, the sum is not known: what the others tell is too little.
 */
function throughputOf(
  { calls }: Pick<LoadGroup, 'calls'>,
  ok: readonly LogicalCall[],
  { tpot }: LatencyTables,
): LoadFigures['throughput'] {
  const span = spanOfCalls(calls);
  const seconds = span === null ? 0 : (span.lastEnd - span.first) / 1000;
  const told = ok.flatMap(({ last }) => last.usage?.output ?? []);
  const isKnown =
    told.length > 0 && ok.every(({ last }) => !isTextKind(last.kind) || last.usage?.output != null);
  const sum = told.reduce((tokens, output) => tokens + output, 0);
  return {
    output_tokens: isKnown ? perSecond(sum, seconds) : null,
    per_stream: tpot === null || tpot.p50 === 0 ? null : rounded(1000 / tpot.p50),
  };
}

function latencyTables(calls: readonly LogicalCall[], ok: readonly LogicalCall[]): LatencyTables {
  const times = ok.map(callTimes);
  const tableOf = (values: readonly (number | null)[]) =>
    latencyTable(ascending(values.filter((value) => value !== null)));
  return {
    ttft: tableOf(times.map((time) => time.ttft)),
    ttfo: tableOf(times.map((time) => time.ttfo)),
    tpot: tableOf(times.map((time) => time.tpot)),
    itl: itlTable(ok.map(({ last }) => last)),
    e2e: tableOf(times.map((time) => time.e2e)),
    e2e_planned: tableOf(times.map((time) => time.e2ePlanned)),
    schedule_lag: tableOf(calls.map((call) => call.scheduleLagMs)),
  };
}

export function outcomeCounts(calls: readonly LogicalCall[]): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const outcome of OUTCOMES) {
    const count = calls.filter((call) => call.last.outcome === outcome).length;
    if (count > 0) counts[outcome] = count;
  }
  return counts;
}

/** Tokens of the attempts whose output is known; null when none is. */
export function tokensOf(calls: readonly LogicalCall[]): LoadFigures['tokens'] {
  const known = calls.flatMap((call) =>
    call.attempts.flatMap(({ usage }) => {
      if (usage === null || usage.output === null) return [];
      return [{ input: usage.input, output: usage.output }];
    }),
  );
  if (known.length === 0) return null;
  return known.reduce((sums, one) => ({
    input: sums.input === null || one.input === null ? null : sums.input + one.input,
    output: sums.output + one.output,
  }));
}

/** Good calls over those that the target could have made good; null where there was none. */
function attainmentOf(calls: readonly LogicalCall[], good: number): number | null {
  const judged = calls.filter((call) => call.judged).length;
  return judged === 0 ? null : rounded(good / judged);
}

function perSecond(count: number, seconds: number): number | null {
  return seconds > 0 ? rounded(count / seconds) : null;
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
