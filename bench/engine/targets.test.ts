import { describe, expect, test } from 'vitest';
import type { StreamFigures } from './stream-figures.ts';
import type { StreamResult } from './suites/streams.ts';
import { judge } from './targets.ts';

const FIGURES: StreamFigures = {
  cpu_s_per_1000: 0.5,
  ttft_error_p50_ms: 4,
  ttft_error_p99_ms: 40,
  itl_error_p99_ms: 1,
  itl_error_p99_exact_ms: 1,
  mean_itl_error_p99_ms: 0.1,
  streams_per_s: 1500,
  peak_pss_mb: 100,
  hwm_mb: 101,
  asked: 6000,
  completed: 6000,
  most_open: 2000,
  wall_s: 5,
  true_ttft_p50_ms: 200,
  true_itl_p99_ms: 22,
  server_cpu_s: 4,
  other_cpu_s: 0,
};

function result(client: string, figures: Partial<StreamFigures>, level = 2000): StreamResult {
  return { client, level, runs: [{ ...FIGURES, ...figures }], failures: [] };
}

function missed(...results: StreamResult[]): string[] {
  return judge([{ suite: 'streams', results }])
    .filter(({ met }) => !met)
    .map(({ what }) => what);
}

describe('judge', () => {
  test('a client like the floor meets every mark', () => {
    const results = [
      result('floor', {}),
      result('k6/http', {}),
      result('ours pool', {}),
      result('ours 1/VU', {}),
    ];
    expect(missed(...results)).toEqual([]);
    expect(judge([{ suite: 'streams', results }])).toHaveLength(12);
  });

  test.each([
    ['cpu_s_per_1000', 0.56, 'CPU, ours pool, 2000'],
    ['ttft_error_p50_ms', 4.1, 'TTFT error p50, ours pool, 2000'],
    ['itl_error_p99_ms', 2.1, 'ITL error p99, ours pool, 2000'],
    ['mean_itl_error_p99_ms', 0.5, 'mean-ITL error p99, ours pool, 2000'],
    ['streams_per_s', 1400, 'streams/s, ours pool, 2000'],
    ['peak_pss_mb', 181, 'peak memory, ours pool, 2000'],
  ])('%s of %d misses its mark', (figure, value, what) =>
    expect(missed(result('floor', {}), result('ours pool', { [figure]: value }))).toEqual([what]),
  );

  test('without the floor nothing is judged against it', () =>
    expect(judge([{ suite: 'streams', results: [result('ours pool', {}, 500)] }])).toEqual([]));

  test('an error of the floor below nothing asks no more than nothing', () =>
    expect(
      missed(
        result('floor', { itl_error_p99_ms: -20 }, 500),
        result('ours pool', { itl_error_p99_ms: 0.9 }, 500),
      ),
    ).toEqual([]));
});
