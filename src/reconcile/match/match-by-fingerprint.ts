import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { type CallMatch, type PassResult, passResult } from './call-match.ts';
import { pairInTime } from './pair-in-time.ts';
import { type RequestGroup, requestGroups } from './request-groups.ts';
import type { TimeWindow } from './time-window.ts';

/**
 * Brings calls and records together that agree in model and every token count, inside the window of time. Calls that
 * agree in all of that owe the same: whichever of them a record is given to, the judgement of it is the same.
 */
export function matchByFingerprint(
  window: TimeWindow,
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
): PassResult {
  const matches: CallMatch[] = [];
  let rest: PassResult = { matches, calls, records };
  // Which of both a target means is decided by the pairs that come of it (interface: silent).
  for (const cache of ['inside', 'beside'] as const) {
    const byPrint = Map.groupBy(rest.calls, (call) => printOf(call, cache) ?? '');
    byPrint.delete('');
    const groups = new Map<string, RequestGroup[]>();
    for (const group of requestGroups(rest.records)) {
      const print = group.map(printOfRecord).find((candidate) => byPrint.has(candidate));
      if (print === undefined) continue;
      const same = groups.get(print);
      if (same === undefined) groups.set(print, [group]);
      else same.push(group);
    }
    const found = [...groups].flatMap(([print, same]) =>
      pairInTime(window, byPrint.get(print) ?? [], same).map(({ call, group, candidates }): CallMatch => {
        const twins =
          candidates === 1
            ? 'no other call fits'
            : `one of ${candidates} calls with the same tokens, which owe the same`;
        return {
          call,
          records: group,
          pass: 'fingerprint',
          score: 1 / candidates,
          why: `same model and token counts inside the time of the call: ${twins}`,
        };
      }),
    );
    matches.push(...found);
    rest = passResult(found, rest.calls, rest.records);
  }
  return { matches, calls: rest.calls, records: rest.records };
}

/** What a call with usage and its record have in common; null where the call does not tell. */
export function printOf(call: PaidCall, cache: 'inside' | 'beside'): string | null {
  const usage = call.outcome === 'ok' ? (call.row?.usage ?? null) : null;
  if (!call.text || usage === null || usage.input === null || usage.output === null) return null;
  const read = usage.cache_read ?? 0;
  const write = usage.cache_write ?? 0;
  if (cache === 'beside' && read + write === 0) return null;
  const input = cache === 'inside' ? usage.input : usage.input - read - write;
  return printText(call.model, [input, usage.output, read, write]);
}

export function printOfRecord({ asked_model, input, output, cache_read, cache_write }: ServedRecord): string {
  return printText(asked_model, [input, output, cache_read, cache_write]);
}

function printText(model: string, counts: readonly (number | bigint | null)[]): string {
  return JSON.stringify([model, ...counts.map((count) => (count === null ? null : count.toString()))]);
}
