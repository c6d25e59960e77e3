import { describe, expect, test } from 'vitest';
import { ObservedStreams, observedByServer } from './observed.ts';

function served(sent_us: number[], cut = false) {
  return { id: 1, arrived_us: 0, events: sent_us.length, cut, max_gap_us: 0, sent_us };
}

describe('observedByServer', () => {
  test('times of first events and gaps, in ms', () => {
    const truth = {
      cpu_s: 0,
      most_open: 2,
      plain: 0,
      arrivals_us: [],
      streams: [served([200_000, 220_000, 260_000])],
    };
    expect(observedByServer(truth)).toMatchObject({
      ttft_p50: 200,
      itl_p99_exact: 40,
      mean_itl_p99: 30,
      completed: 1,
      failed: 0,
      events: 3,
      max_gap: 40,
    });
  });

  test('a stream that was cut is a failed one', () => {
    const truth = { cpu_s: 0, most_open: 2, plain: 0, arrivals_us: [], streams: [served([1000], true)] };
    expect(observedByServer(truth)).toMatchObject({ completed: 0, failed: 1, ttft_p50: null });
  });
});

test('a client that keeps histograms is read as one that keeps gaps, but has no exact figure', () => {
  const all = new ObservedStreams();
  all.addBucketed({ ttft: 200, meanItl: 20, events: 3 }, [[20.48, 2]], 20.3);
  expect(all.summary()).toMatchObject({ itl_p99_exact: null, max_gap: 20.3, mean_itl_p99: 20, events: 3 });
  expect(all.summary().itl_p99 ?? 0).toBeGreaterThan(19.6);
  expect(all.summary().itl_p99 ?? 0).toBeLessThanOrEqual(20.48);
});
