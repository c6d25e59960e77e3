import type { UsageWindow } from '../contracts/usage-lines.ts';
import { MAX_USAGE_WINDOW_S, SECONDS_PER_DAY } from '../core/time.ts';

/**
 * The windows of at most 31 days (interface §8) that make up `window`: half-open, without gap or overlap, cut at
 * UTC midnights so that no day's sum stands in two of them.
 */
export function usageWindows(window: UsageWindow): readonly UsageWindow[] {
  const windows: UsageWindow[] = [];
  let { start } = window;
  while (start < window.end) {
    const furthest = start + MAX_USAGE_WINDOW_S;
    const end = furthest >= window.end ? window.end : furthest - (furthest % SECONDS_PER_DAY);
    windows.push({ start, end });
    start = end;
  }
  return windows;
}
