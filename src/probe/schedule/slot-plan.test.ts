import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlotPlan } from './slot-plan.ts';

const interval = fc.integer({ min: 1_000, max: 90_000_000 });
const moment = fc.integer({ min: 0, max: 4_000_000_000_000 });

test('two starts are 0.9 to 1.1 intervals apart, and slot n stands at n intervals: nothing drifts', () => {
  fc.assert(
    fc.property(interval, moment, fc.string(), (interval_ms, after, name) => {
      const plan = new SlotPlan(interval_ms, '', 'main', name);
      const first = plan.nextAfter(after);
      const start = plan.startOf(first);
      expect(start).toBeGreaterThan(after);
      expect(start - after).toBeLessThanOrEqual(1.1 * interval_ms);
      expect(plan.startOf(first - 1)).toBeLessThanOrEqual(after);
      const gap = plan.startOf(first + 1) - start;
      expect(gap / interval_ms).toBeGreaterThanOrEqual(0.9 - 1e-6);
      expect(gap / interval_ms).toBeLessThanOrEqual(1.1 + 1e-6);
      const far = (plan.startOf(first + 1_000_000) - start) / interval_ms;
      expect(Math.abs(far - 1_000_000)).toBeLessThanOrEqual(0.1 + 1e-3);
    }),
  );
});

test('the same plan has the same slots after a restart; another target, probe or seed has others', () => {
  const keys = [
    ['', 'main', 'chat'],
    ['', 'main', 'video'],
    ['', 'spare', 'chat'],
    ['b', 'main', 'chat'],
  ];
  const starts = keys.map((key) => new SlotPlan(60_000, ...key).startOf(7));
  expect(new SlotPlan(60_000, '', 'main', 'chat').startOf(7)).toBe(starts[0]);
  expect(new Set(starts).size).toBe(4);
});

test('the starts of many probes are spread over the interval, and jitter is used', () => {
  const tenths = new Map<number, number>();
  for (let n = 0; n < 1_000; n += 1) {
    const plan = new SlotPlan(60_000, '', 'main', `probe-${n}`);
    const tenth = Math.floor((plan.startOf(100) % 60_000) / 6_000);
    tenths.set(tenth, (tenths.get(tenth) ?? 0) + 1);
  }
  expect(Math.min(...tenths.values())).toBeGreaterThan(50);
  const plan = new SlotPlan(60_000, '', 'main', 'chat');
  const gaps = Array.from({ length: 200 }, (_, n) => plan.startOf(n + 1) - plan.startOf(n));
  expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(0.12 * 60_000);
});
