import { spreadOf } from './statistics.ts';
import { spreadText } from './stream-table.ts';
import type { MemoryResult } from './suites/memory.ts';
import type { PlainResult } from './suites/plain.ts';
import type { RateResult } from './suites/rate.ts';
import type { SustainedResult } from './suites/sustained.ts';

export function sustainedRows(results: readonly SustainedResult[]): string[][] {
  return [
    ['client', 'streams', 'CPU there', 'mock CPU', 'longest gap ms', 'seconds', 'limited by'],
    ...results.map(({ client, seconds, found, limited_by_server }) => {
      const best = found.probes.find(({ level, held }) => held && level === found.most)?.result;
      return [
        client,
        found.most === null ? '–' : String(found.most),
        percent(best?.cpu_share),
        percent(best?.server_cpu_share),
        best?.max_gap_ms?.toFixed(0) ?? '–',
        String(seconds),
        found.most === null ? '–' : limited_by_server ? 'the mock' : 'the client',
      ];
    }),
  ];
}

export function plainRows(results: readonly PlainResult[]): string[][] {
  const stock = medianRate(results.find(({ client }) => client === 'k6/http'));
  return [
    ['client', '× k6/http', 'calls/s', 'CPU s/10k', 'PSS MB', 'mock CPU s', 'other CPU s'],
    ...results.map((result) => {
      const rate = medianRate(result);
      return [
        result.client,
        rate === null || stock === null ? '–' : (rate / stock).toFixed(2),
        figure(result.runs, 'per_s', 0),
        figure(result.runs, 'cpu_s_per_10k', 2),
        figure(result.runs, 'peak_pss_mb', 0),
        figure(result.runs, 'server_cpu_s', 1),
        figure(result.runs, 'other_cpu_s', 1),
      ];
    }),
  ];
}

function medianRate(result: PlainResult | undefined): number | null {
  return result === undefined ? null : (spreadOf(result.runs.map((run) => run.per_s))?.median ?? null);
}

export function rateRows(results: readonly RateResult[]): string[][] {
  return [
    ['client', 'arrived', 'of', 'rate', 'gap err p99', 'deviation p99', 'CPU s', 'PSS MB', 'other CPU s'],
    ...results.map(({ client, runs }) => [
      client,
      figure(runs, 'arrived', 0),
      figure(runs, 'asked', 0),
      figure(runs, 'mean_rate', 1),
      figure(runs, 'gap_error_p99_ms', 2),
      figure(runs, 'deviation_p99_ms', 2),
      figure(runs, 'cpu_s', 1),
      figure(runs, 'peak_pss_mb', 0),
      figure(runs, 'other_cpu_s', 1),
    ]),
  ];
}

function figure<K extends string>(
  runs: readonly Readonly<Record<K, number | null>>[],
  name: K,
  digits: number,
): string {
  return spreadText(
    runs.map((run) => run[name]),
    digits,
  );
}

export function memoryRows(results: readonly MemoryResult[]): string[][] {
  return [
    [
      'client',
      'calls',
      'ok',
      'rows lost',
      'at 20 % MB',
      'at the end MB',
      'peak MB',
      'slope MB/100k',
      'wall s',
    ],
    ...results.map((result) => [
      result.client,
      String(result.calls),
      String(result.ok),
      String(result.rows_lost),
      result.first_mb?.toFixed(0) ?? '–',
      result.last_mb?.toFixed(0) ?? '–',
      result.peak_mb.toFixed(0),
      result.slope_mb_per_100k?.toFixed(2) ?? '–',
      result.wall_s.toFixed(0),
    ]),
  ];
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${(100 * share).toFixed(0)} %`;
}
