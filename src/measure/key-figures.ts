import type { KeyResult } from '../contracts/load-result.ts';
import { compareText } from '../core/compare-text.ts';
import { callTimes } from './call-times.ts';
import { ascending, latencyTable } from './latency-table.ts';
import { outcomeCounts, tokensOf } from './load-figures.ts';
import type { LogicalCall } from './logical-call.ts';

const TOO_MANY_REQUESTS = 429;

/** Figures of each API key, by fingerprint; undefined where the calls name fewer than two. */
export function keyFigures(calls: readonly LogicalCall[]): readonly KeyResult[] | undefined {
  const byKey = Map.groupBy(calls, ({ last }) => last.key_fp);
  const named = [...byKey].flatMap(([key_fp, own]) => (key_fp === null ? [] : [figuresOf(key_fp, own)]));
  return named.length < 2 ? undefined : named.sort((left, right) => compareText(left.key_fp, right.key_fp));
}

function figuresOf(key_fp: string, calls: readonly LogicalCall[]): KeyResult {
  const ok = calls.filter(({ last }) => last.outcome === 'ok');
  const times = ok.map(callTimes);
  const tableOf = (values: readonly (number | null)[]) =>
    latencyTable(ascending(values.filter((value) => value !== null)));
  const limited = calls.flatMap(({ attempts }) =>
    attempts.filter(({ status }) => status === TOO_MANY_REQUESTS),
  );
  return {
    key_fp,
    calls: calls.length,
    ok: ok.length,
    outcomes: outcomeCounts(calls),
    rate_limited: limited.length,
    ttft: tableOf(times.map(({ ttft }) => ttft)),
    e2e: tableOf(times.map(({ e2e }) => e2e)),
    tokens: tokensOf(calls),
  };
}
