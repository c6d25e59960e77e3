import { expect, it } from 'vitest';
import type { CallRow } from '../contracts/ledger-lines.ts';
import { callRow } from './ledger.test-support.ts';
import { logicalCalls } from './logical-call.ts';
import { streamFigures } from './stream-figures.ts';

const usage = (output: number | null) =>
  ({ input: 5, output, cache_read: null, cache_write: null, reasoning: null, raw: null }) as const;
const figures = (...rows: readonly CallRow[]) => streamFigures(logicalCalls(rows));

it('sets output tokens against content events, which are one more than the gaps', () => {
  const streams = [
    callRow(0, { itl: [[20, 9]], max_gap_ms: 20, usage: usage(40) }),
    callRow(1, { itl: null, max_gap_ms: null, usage: usage(5) }),
    // Tells no tokens: its events stay out as well.
    callRow(2, { itl: [[20, 99]], max_gap_ms: 20, usage: null }),
  ];
  expect(figures(...streams)).toMatchObject({ count: 3, tokens_per_event: 4.091, longest_gap_ms: 20 });
});

it('counts gaps above ten medians of their own stream', () => {
  const slow = callRow(0, {
    itl: [
      [100, 8],
      [900, 1],
    ],
    max_gap_ms: 900,
  });
  const fast = callRow(1, {
    itl: [
      [20, 8],
      [201, 2],
    ],
    max_gap_ms: 201,
  });
  expect(figures(slow, fast)).toMatchObject({ stalls: 2, stalled: 1, longest_gap_ms: 900 });
});

it('does not take the gaps between reads for stalls where most events share a read', () => {
  const packed = callRow(0, {
    itl: [
      [0, 30],
      [9, 10],
    ],
    max_gap_ms: 9,
  });
  expect(figures(packed)).toMatchObject({ stalls: 0, bursts: 0 });
});

it('knows a stream that came at once from one that is too short to tell', () => {
  const burst = callRow(0, { itl: [[0, 12]], max_gap_ms: 0 });
  const single = callRow(1, { itl: null, max_gap_ms: null });
  expect(figures(burst, single)).toMatchObject({ count: 2, bursts: 1 });
});

it('is absent where nothing streamed', () => {
  expect(figures(callRow(0, { stream: false, ttft_ms: null }))).toBeNull();
});
