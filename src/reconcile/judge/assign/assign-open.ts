import { chargeOfRequest } from '../../expect/charge.ts';
import { expectedCharge } from '../../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../../expect/judge-context.ts';
import { type CallMatch, type PassResult, passResult } from '../../match/call-match.ts';
import { leastCost } from '../../match/least-cost.ts';
import { type RequestGroup, requestGroups } from '../../match/request-groups.ts';
import { inWindow, type TimeWindow, windowOf } from '../../match/time-window.ts';
import type { PaidCall } from '../../records/paid-call.ts';
import { recordDue } from '../../records/record-due.ts';
import type { ServedRecord } from '../../records/served-record.ts';

/** Larger knots are compared by their sum: the solution takes time with the cube of their size. */
const MOST_IN_KNOT = 400;
/** A pair is kept where every assignment without it costs at least this share more of what the pair costs. */
const LEAST_MARGIN = 0.2;
/** Leaving a call without a record costs more than any pair. */
const NO_RECORD_COST = 1e9;
const MS_PER_COST = 100;
const TOKEN_COST = 10;

/**
 * Calls and records that no id and no fingerprint brought together: the assignment of least cost over time and token
 * counts, of which only those pairs are kept that every other good assignment shares. A pair whose charge cannot be
 * the call's is never made.
 */
export function assignOpen(
  context: JudgeContext,
  window: TimeWindow,
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
): PassResult {
  const open = calls.filter((call) => recordDue(call) !== 'never');
  const byModel = Map.groupBy(requestGroups(records), ([record]) => record.asked_model);
  const matches = [...Map.groupBy(open, ({ model }) => model)].flatMap(([model, ofModel]) =>
    knots(window, ofModel, byModel.get(model) ?? []).flatMap((knot) => assignKnot(context, window, knot)),
  );
  return passResult(matches, calls, records);
}

interface Knot {
  readonly calls: readonly PaidCall[];
  readonly groups: readonly RequestGroup[];
}

/** Calls and groups that share a stretch of time: sorted and merged, they fall apart where nothing overlaps. */
function knots(
  window: TimeWindow,
  calls: readonly PaidCall[],
  groups: readonly RequestGroup[],
): readonly Knot[] {
  const timed = calls
    .map((call) => ({ call, ...windowOf(window, call) }))
    .sort((left, right) => left.from - right.from || (left.call.call_id < right.call.call_id ? -1 : 1));
  const found: { calls: PaidCall[]; groups: RequestGroup[]; from: number; to: number }[] = [];
  for (const { call, from, to } of timed) {
    const last = found.at(-1);
    if (last === undefined || from > last.to) found.push({ calls: [call], groups: [], from, to });
    else {
      last.calls.push(call);
      last.to = Math.max(last.to, to);
    }
  }
  for (const group of groups) {
    found.find((knot) => inWindow(knot, group[0]))?.groups.push(group);
  }
  return found;
}

function assignKnot(context: JudgeContext, window: TimeWindow, knot: Knot): readonly CallMatch[] {
  const { calls, groups } = knot;
  // One call with one record is no choice: it is judged as such, without a claim to have chosen.
  if (groups.length === 0 || (calls.length === 1 && groups.length === 1)) return [];
  if (calls.length > MOST_IN_KNOT || groups.length > MOST_IN_KNOT) return [];
  const costs = calls.map((call, row) => [
    ...groups.map((group) => pairCost(context, window, call, group)),
    ...calls.map((_, column) => (column === row ? NO_RECORD_COST : Infinity)),
  ]);
  return leastCost(costs).flatMap(({ column, cost, margin }, row): readonly CallMatch[] => {
    const call = calls[row];
    const group = groups[column];
    if (call === undefined || group === undefined) return [];
    const score = margin === Infinity ? 1 : margin / (cost + margin || 1);
    if (score < LEAST_MARGIN) return [];
    return [
      {
        call,
        records: group,
        pass: 'assignment',
        score: Math.round(score * 1000) / 1000,
        why: `the cheapest of ${calls.length} calls with ${groups.length} requests by time and tokens; any other costs ${Math.round(Math.min(margin, NO_RECORD_COST))} more`,
      },
    ];
  });
}

/** Infinity where the record cannot be the call's. */
function pairCost(context: JudgeContext, window: TimeWindow, call: PaidCall, group: RequestGroup): number {
  const [record] = group;
  const span = windowOf(window, call);
  if (!inWindow(span, record)) return Infinity;
  const tokens = tokenCost(call, group);
  if (tokens === Infinity) return Infinity;
  const charge = chargeOfRequest(group, context.settings);
  const expected = expectedCharge(context, call, record, bookOf(context, record));
  const told = recordDue(call) === 'must' && call.text && (call.row?.usage ?? null) !== null;
  if (!told && charge !== null && !('unknown' in expected)) {
    const zero = charge.lo <= 0n && charge.hi >= 0n && expected.zero_allowed;
    if (!zero && (charge.lo > expected.hi || charge.hi < expected.lo)) return Infinity;
  }
  const anchor = window.anchor === 'end' ? call.ended_ms : call.started_ms;
  const usual = window.pairs > 0 ? (window.least_ms + window.most_ms) / 2 : 0;
  const away = Math.abs((record.created_at ?? 0) * 1000 + 500 - anchor - usual);
  return Math.round(away / MS_PER_COST) + tokens;
}

/** A call that told its usage may differ from its record in one count, not in all of them. */
function tokenCost(call: PaidCall, [record]: RequestGroup): number {
  const usage = call.outcome === 'ok' && call.text ? (call.row?.usage ?? null) : null;
  if (usage === null || usage.input === null || usage.output === null) return 0;
  if (record.input === null || record.output === null) return TOKEN_COST;
  const cached = (usage.cache_read ?? 0) + (usage.cache_write ?? 0);
  const input = Number(record.input);
  const sameInput = input === usage.input || input === usage.input - cached;
  const sameOutput = Number(record.output) === usage.output;
  if (sameInput && sameOutput) return 0;
  return sameInput || sameOutput ? TOKEN_COST : Infinity;
}
