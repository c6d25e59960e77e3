import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { type CallMatch, type PassResult, passResult } from './call-match.ts';
import { requestGroups } from './request-groups.ts';
import { inWindow, type TimeWindow, windowOf } from './time-window.ts';

/** So many prompts of a scenario, and nearly all of them, must follow the rule before a call without usage does. */
const LEAST_PROMPTS = 10;
const LEAST_SHARE = 0.98;

/**
 * Finds records of calls whose usage was never told by the watermark of their prompt: words of padding that differ from
 * call to call. Where a scenario's prompts count `base + words` input tokens, a record with exactly that count, of the
 * same model and inside the window, is the call's, if neither side has another.
 */
export function matchByWatermark(window: TimeWindow, { known, open, records }: WatermarkInput): PassResult {
  const bases = baseCounts(known);
  const wanted = open.flatMap((call) => {
    const base = bases.get(promptKey(call));
    const words = call.row?.watermark ?? null;
    return base === undefined || words === null
      ? []
      : [{ call, input: BigInt(base + words), ...windowOf(window, call) }];
  });
  const groups = requestGroups(records).map((group) => ({ group, record: group[0] }));
  const byCount = Map.groupBy(groups, ({ record }) => countKey(record.model, record.input));
  const candidates = wanted.map((call) => ({
    ...call,
    fitting: (byCount.get(countKey(call.call.model, call.input)) ?? []).filter(({ record }) =>
      inWindow(call, record),
    ),
  }));
  const claims = Map.groupBy(
    candidates.flatMap(({ call, fitting }) => fitting.map(({ group }) => ({ call, group }))),
    ({ group }) => group,
  );
  const matches = candidates.flatMap(({ call, input, fitting }): readonly CallMatch[] => {
    const [only] = fitting;
    if (only === undefined || fitting.length > 1 || (claims.get(only.group)?.length ?? 0) > 1) return [];
    const why = `its watermark makes ${input} input tokens, which only this record has at that time`;
    return [{ call, records: only.group, pass: 'watermark', score: 1, why }];
  });
  return passResult(matches, open, records);
}

export interface WatermarkInput {
  /** Calls with usage, of which the rule is learnt. */
  readonly known: readonly PaidCall[];
  readonly open: readonly PaidCall[];
  readonly records: readonly ServedRecord[];
}

/** Input tokens of a prompt without its padding, by scenario, model and turn, where they are one number. */
function baseCounts(calls: readonly PaidCall[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number[]>();
  for (const call of calls) {
    const words = call.row?.watermark ?? null;
    const input = call.outcome === 'ok' ? (call.row?.usage?.input ?? null) : null;
    if (words === null || input === null) continue;
    const same = counts.get(promptKey(call));
    if (same === undefined) counts.set(promptKey(call), [input - words]);
    else same.push(input - words);
  }
  const bases = new Map<string, number>();
  for (const [key, all] of counts) {
    const [most] = [...Map.groupBy(all, (count) => count).values()].sort(
      (left, right) => right.length - left.length || (left[0] ?? 0) - (right[0] ?? 0),
    );
    const base = most?.[0];
    if (base === undefined || most === undefined || all.length < LEAST_PROMPTS) continue;
    if (most.length >= all.length * LEAST_SHARE) bases.set(key, base);
  }
  return bases;
}

function promptKey({ model, row }: PaidCall): string {
  return JSON.stringify([row?.scenario ?? null, model, row?.turn ?? null]);
}

function countKey(model: string, input: bigint | null): string {
  return JSON.stringify([model, input === null ? null : input.toString()]);
}
