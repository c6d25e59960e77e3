import { atLeast, atMost, type Judged } from './judged.ts';
import type { SuiteResult } from './run-suite.ts';
import { spreadOf } from './statistics.ts';
import type { StreamFigures } from './stream-figures.ts';
import type { StreamResult } from './suites/streams.ts';

/** Below these, start-up is most of what a client costs. */
const MARKED_LEVELS = [500, 1000, 2000];

const POOL = 'ours pool';
const SINGLE = 'ours 1/VU';
const FLOOR = 'floor';
const STOCK = 'k6/http';

/** Medians against the project's marks; what was not measured, or not both sides of it, is not judged. */
export function judge(results: readonly SuiteResult[]): Judged[] {
  return results.flatMap(judgeSuite);
}

function judgeSuite(result: SuiteResult): Judged[] {
  switch (result.suite) {
    case 'streams':
      return MARKED_LEVELS.flatMap((level) => judgeLevel(result.results, level));
    case 'trap':
      return [];
    case 'spread':
      return [POOL, SINGLE].flatMap((client) =>
        atMost(
          `TTFT error p50, ${client}, 500 spread`,
          median(result.results, client, 500, 'ttft_error_p50_ms'),
          1,
          ' ms',
        ),
      );
    case 'sustained':
      return result.results
        .filter(({ client }) => client === POOL)
        .flatMap(({ client, found }) => atLeast(`streams at 20/s, ${client}`, found.most, 3000, ''));
    case 'plain': {
      const rate = (name: string) =>
        spreadOf(result.results.find(({ client }) => client === name)?.runs.map(({ per_s }) => per_s) ?? [])
          ?.median ?? null;
      return [POOL, SINGLE].flatMap((client) =>
        atLeast(`plain calls/s, ${client}`, ratio(rate(client), rate(STOCK)), 1, ' × k6/http'),
      );
    }
    case 'rate':
      return result.results
        .filter(({ client }) => client === POOL || client === SINGLE)
        .flatMap(({ client, runs }) => [
          ...atMost(
            `gap error p99, ${client}`,
            spreadOf(runs.map((run) => run.gap_error_p99_ms))?.median ?? null,
            1.5,
            ' ms',
          ),
          ...atMost(
            `start deviation p99, ${client}`,
            spreadOf(runs.map((run) => run.deviation_p99_ms))?.median ?? null,
            1,
            ' ms',
          ),
        ]);
    case 'memory':
      return result.results.flatMap(({ client, slope_mb_per_100k }) =>
        atMost(`memory slope, ${client}`, slope_mb_per_100k, 1, ' MB/100k'),
      );
  }
}

function judgeLevel(results: readonly StreamResult[], level: number): Judged[] {
  const of = (client: string, figure: Figure) => median(results, client, level, figure);
  const judged: Judged[] = [];
  for (const [client, share] of [
    [POOL, 1.1],
    [SINGLE, 1.25],
  ] as const) {
    const cpu = ratio(of(client, 'cpu_s_per_1000'), of(FLOOR, 'cpu_s_per_1000'));
    judged.push(...atMost(`CPU, ${client}, ${level}`, cpu, share, ' × floor'));
    judged.push(
      ...beside(
        `TTFT error p50, ${client}, ${level}`,
        of(client, 'ttft_error_p50_ms'),
        of(FLOOR, 'ttft_error_p50_ms'),
        0,
      ),
    );
    judged.push(
      ...beside(
        `ITL error p99, ${client}, ${level}`,
        of(client, 'itl_error_p99_ms'),
        of(FLOOR, 'itl_error_p99_ms'),
        1,
      ),
    );
    if (level !== 2000) continue;
    const rate = ratio(of(client, 'streams_per_s'), of(FLOOR, 'streams_per_s'));
    judged.push(
      ...atMost(`mean-ITL error p99, ${client}, ${level}`, of(client, 'mean_itl_error_p99_ms'), 0.4, ' ms'),
    );
    judged.push(...atLeast(`streams/s, ${client}, ${level}`, rate, 1, ' × floor'));
    const bound = client === POOL ? 180 : of(STOCK, 'peak_pss_mb');
    if (bound !== null)
      judged.push(...atMost(`peak memory, ${client}, ${level}`, of(client, 'peak_pss_mb'), bound, ' MB'));
  }
  return judged;
}

type Figure = keyof StreamFigures;

function median(
  results: readonly StreamResult[],
  client: string,
  level: number,
  figure: Figure,
): number | null {
  const runs = results.find((result) => result.client === client && result.level === level)?.runs ?? [];
  return spreadOf(runs.map((run) => run[figure]))?.median ?? null;
}

function ratio(value: number | null, of: number | null): number | null {
  return value === null || of === null || of === 0 ? null : value / of;
}

/** Judged against the floor of the same run; an error below nothing counts as none. */
function beside(what: string, found: number | null, floor: number | null, more: number): Judged[] {
  return floor === null ? [] : atMost(what, found, Math.max(0, floor) + more, ' ms');
}
