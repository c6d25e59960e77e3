import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_USAGE_WINDOW_S, SECONDS_PER_DAY } from '../core/time.ts';
import { usageWindows } from './read-pass.ts';

describe('usageWindows', () => {
  it('leaves a window of 31 days whole, and cuts a second more at midnight', () => {
    const start = 1_790_000_000;
    expect(usageWindows({ start, end: start + MAX_USAGE_WINDOW_S })).toHaveLength(1);
    const [first, second] = usageWindows({ start, end: start + MAX_USAGE_WINDOW_S + 1 });
    expect(first?.end).toBe(second?.start);
    expect((first?.end ?? 1) % SECONDS_PER_DAY).toBe(0);
  });

  it('covers any period without gap, overlap or a part above 31 days', () => {
    const moment = fc.integer({ min: 1, max: 4_000_000_000 });
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 400 * SECONDS_PER_DAY }), (start, length) => {
        const end = start + length;
        const windows = usageWindows({ start, end });
        expect(windows[0]?.start).toBe(start);
        expect(windows.at(-1)?.end).toBe(end);
        windows.forEach((window, index) => {
          expect(window.end - window.start).toBeGreaterThan(0);
          expect(window.end - window.start).toBeLessThanOrEqual(MAX_USAGE_WINDOW_S);
          if (index > 0) {
            expect(window.start).toBe(windows[index - 1]?.end);
            expect(window.start % SECONDS_PER_DAY).toBe(0);
          }
        });
      }),
      { seed: 31, numRuns: 200 },
    );
  });
});
