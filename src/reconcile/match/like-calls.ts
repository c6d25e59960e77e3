import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { printOf, printOfRecord } from './match-by-fingerprint.ts';
import { inWindow, type TimeWindow, windowOf } from './time-window.ts';

/**
 * Names the call that a record without one looks like: same model and token counts, inside its time. A second charge of
 * a call under another id looks so.
 */
export function likeCalls(
  window: TimeWindow,
  calls: readonly PaidCall[],
): (record: ServedRecord) => PaidCall | null {
  const byPrint = new Map<string, PaidCall[]>();
  for (const call of calls) {
    for (const cache of ['inside', 'beside'] as const) {
      const print = printOf(call, cache);
      if (print === null) continue;
      const same = byPrint.get(print);
      if (same === undefined) byPrint.set(print, [call]);
      else same.push(call);
    }
  }
  return (record) =>
    (byPrint.get(printOfRecord(record)) ?? []).find((call) => inWindow(windowOf(window, call), record)) ??
    null;
}
