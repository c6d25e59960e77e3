import type { BillingReadings } from '../../contracts/billing-readings.ts';
import type { MatchPass } from '../../contracts/match-pass.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { type CallMatch, type PassResult, passResult } from './call-match.ts';
import { matchByFingerprint } from './match-by-fingerprint.ts';
import { isRecordCall, linkOfNameless } from './record-calls.ts';
import { requestGroups } from './request-groups.ts';
import { inWindow, learnWindow, type TimeWindow, windowOf } from './time-window.ts';

export interface CallMatching {
  readonly matches: readonly CallMatch[];
  /** Learnt from the pairs that an id made. */
  readonly window: TimeWindow;
  /** Calls that no pass found a record for, and whose record may stand under any id. */
  readonly open: readonly PaidCall[];
  /** Calls with an id of their own that no record has. */
  readonly missing: readonly PaidCall[];
  readonly records: readonly ServedRecord[];
}

/**
 * The passes that need no price: ids, fingerprints of tokens, watermarks; each takes what the ones before it left.
 * `accepted`: calls that were matched by their id before, and are not among these. `dated`: the declared moment of records.
 */
export function matchCalls(
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
  accepted = 0,
  dated: BillingReadings['created_at'] = 'auto',
): CallMatching {
  const byId = matchById(calls, records);
  const window = learnWindow(
    byId.matches.flatMap(({ call, records: [record] }) =>
      record === undefined ? [] : [[call, record] as const],
    ),
    dated,
  );
  const okById = byId.matches.filter(({ call }) => call.outcome === 'ok').length;
  const withoutId = callsWithoutId(byId.calls, calls, { by_id: okById, accepted });
  const byPrint = matchByFingerprint(window, withoutId, byId.records);
  const byMark = matchByWatermark(window, { known: calls, open: byPrint.calls, records: byPrint.records });
  const withoutIds = new Set(withoutId);
  return {
    matches: [...byId.matches, ...byPrint.matches, ...byMark.matches],
    window,
    open: byMark.calls,
    missing: byId.calls.filter((call) => !withoutIds.has(call)),
    records: byMark.records,
  };
}

/** Longer ids, and one that several calls were told, are no evidence of which record is whose. */
const LONGEST_ID = 64;
/** Where fewer of the told ids lead to a record, ids are not what this target's records go by. */
const LEAST_TRUST = 0.5;
const LEAST_CALLS = 20;

/**
 * Calls whose record must be found without their id: none was told, or the told one cannot be trusted. A call with an
 * id of its own that no record has stays out: a record without its id is another call's.
 */
function callsWithoutId(
  left: readonly PaidCall[],
  calls: readonly PaidCall[],
  matched: { readonly by_id: number; readonly accepted: number },
): readonly PaidCall[] {
  const own = calls.filter(({ outcome, request_ids }) => outcome === 'ok' && request_ids.length > 0).length;
  const withId = own + matched.accepted;
  const trusted = withId < LEAST_CALLS || matched.by_id + matched.accepted >= withId * LEAST_TRUST;
  const tellers = new Map<string, number>();
  for (const { request_ids } of calls) {
    const [id] = request_ids;
    if (id !== undefined) tellers.set(id, (tellers.get(id) ?? 0) + 1);
  }
  return left.filter(({ request_ids: [id] }) => {
    if (id === undefined || !trusted) return true;
    return id.length > LONGEST_ID || (tellers.get(id) ?? 0) > 1;
  });
}

interface IdPass {
  readonly pass: MatchPass;
  readonly why: string;
  readonly idsOf: (call: PaidCall) => readonly string[];
}

const ID_PASSES: readonly IdPass[] = [
  {
    pass: 'request_id',
    why: 'the answer told this request id',
    idsOf: (call) => call.request_ids.slice(0, 1),
  },
  {
    pass: 'other_id',
    why: 'the answer told this request id among others',
    idsOf: (call) => call.request_ids.slice(1),
  },
  {
    pass: 'linked_id',
    why: 'the id of its answer or task is the request id of the record',
    idsOf: (call) => call.linked_ids,
  },
];

/** A call that stands for a record without a request id goes to it, whatever the record fails to tell of its time or tokens. */
function matchNameless(calls: readonly PaidCall[], records: readonly ServedRecord[]): readonly CallMatch[] {
  const standing = calls.filter(
    ({ call_id, request_ids }) => request_ids.length === 0 && isRecordCall(call_id),
  );
  if (standing.length === 0) return [];
  const nameless = Map.groupBy(
    records.filter(({ request_id }) => request_id === ''),
    linkOfNameless,
  );
  return standing.flatMap((call): readonly CallMatch[] => {
    const record = nameless.get(call.linked_ids[0] ?? '')?.shift();
    const why = 'the record by itself, which names no request';
    return record === undefined ? [] : [{ call, records: [record], pass: 'linked_id', score: 1, why }];
  });
}

/**
 * Exact matching: first every call by its own request id, then by the other ids of its answer, then by task and
 * response ids. All records of one id go to one call.
 */
function matchById(calls: readonly PaidCall[], records: readonly ServedRecord[]): PassResult {
  const free = Map.groupBy(records, ({ request_id }) => request_id);
  free.delete('');
  const matches: CallMatch[] = [...matchNameless(calls, records)];
  const standing = new Set(matches.map(({ call }) => call));
  let left = calls.filter((call) => !standing.has(call));
  for (const { pass, why, idsOf } of ID_PASSES) {
    left = left.filter((call) => {
      const id = idsOf(call).find((candidate) => free.has(candidate));
      const found = id === undefined ? undefined : free.get(id);
      if (id === undefined || found === undefined) return true;
      matches.push({ call, records: found, pass, score: 1, why });
      free.delete(id);
      return false;
    });
  }
  matchByOwnId(left, [...free.values()], matches);
  return passResult(withCredits(matches, free), calls, records);
}

/** Credits name the task of the call whose charge they lower, where its record names the request: both are one sum. */
function withCredits(
  matches: readonly CallMatch[],
  free: ReadonlyMap<string, readonly ServedRecord[]>,
): readonly CallMatch[] {
  return matches.map((match) => {
    const credits = match.call.linked_ids
      .flatMap((id) => free.get(id) ?? [])
      .filter(({ amount }) => amount.exact !== null && amount.exact < 0n);
    return credits.length === 0 ? match : { ...match, records: [...match.records, ...credits] };
  });
}

/** Some programs name a record by the id of the answer, and its request by an id that not every client notes. */
function matchByOwnId(
  left: readonly PaidCall[],
  groups: readonly (readonly ServedRecord[])[],
  matches: CallMatch[],
): void {
  const byId = Map.groupBy(groups, ([record]) => record?.id ?? '');
  const why = 'the id of its answer is the id of the record';
  for (const call of left) {
    const id = call.linked_ids.find((candidate) => byId.get(candidate)?.length === 1);
    const [found] = byId.get(id ?? '') ?? [];
    if (id === undefined || found === undefined) continue;
    matches.push({ call, records: found, pass: 'linked_id', score: 1, why });
    byId.delete(id);
  }
}

/** So many prompts of a scenario, and nearly all of them, must follow the rule before a call without usage does. */
const LEAST_PROMPTS = 10;
const LEAST_SHARE = 0.98;

/**
 * Finds records of calls whose usage was never told by the watermark of their prompt: words of padding that differ from
 * call to call. Where a scenario's prompts count `base + words` input tokens, a record with exactly that count, of the
 * same model and inside the window, is the call's, if neither side has another.
 */
function matchByWatermark(window: TimeWindow, { known, open, records }: WatermarkInput): PassResult {
  const bases = baseCounts(known);
  const wanted = open.flatMap((call) => {
    const base = bases.get(promptKey(call));
    const words = call.row?.watermark ?? null;
    return base === undefined || words === null
      ? []
      : [{ call, input: BigInt(base + words), ...windowOf(window, call) }];
  });
  const groups = requestGroups(records).map((group) => ({ group, record: group[0] }));
  const byCount = Map.groupBy(groups, ({ record }) => countKey(record.asked_model, record.input));
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

interface WatermarkInput {
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
