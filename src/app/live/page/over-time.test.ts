import { expect, test } from 'vitest';
import type { Progress } from '../../notices/progress.ts';
import { figuresOf, loadOf, progressOf } from '../live.test-support.ts';
import { LoadPoints } from './load-points.ts';
import { overTime } from './over-time.ts';

function at(second: number, changes: Parameters<typeof loadOf>[0] = {}): Progress {
  return progressOf({ load: loadOf({ elapsed_ms: second * 1_000, ...changes }) });
}

function pointsOf(...shown: readonly Progress[]): LoadPoints {
  const points = new LoadPoints();
  for (const progress of shown) points.take(progress);
  return points;
}

test('each question has a chart with its axes, its lines and what they are now', () => {
  const total = figuresOf({ asked_rate: 12, started_rate: 9 });
  const html = overTime(pointsOf(at(1), at(2, { total })).all);
  const titles = [...html.matchAll(/<figcaption><strong>(.+?)<\/strong>/g)].map(([, title]) => title);
  expect(titles).toEqual([
    'Starts against the plan',
    'Calls in flight',
    'Time to first token',
    'Time to the end of the answer',
    'Failed calls by cause',
    'Spend against the cap',
  ]);
  expect(html).toContain('started <b>9.00</b>');
  expect(html).toContain('planned <b>12.00</b>');
  // The axis ends above the largest value, at a number that does not jump with each of them.
  expect(html).toContain('<span>20</span><span>10</span><span>0</span>');
  expect(html).toContain('<span>1 s</span><span>2 s</span>');
  expect(html).toContain('429 rate_limited <b>12</b>');
  expect(html).toContain('spent at most <b>$0.5</b>');
  expect(html).toContain('cap <b>$2</b>');
});

test('a figure that nothing was measured of is a gap, and a chart of gaps is left out', () => {
  const total = figuresOf({ ttft: null, started_rate: null });
  const none = { at_most_usd: null, cap_usd: null };
  const html = overTime(
    pointsOf(...[1, 2, 3].map((second) => at(second, { total, spend: none, errors: [] }))).all,
  );
  expect(html).not.toContain('Time to first token');
  expect(html).not.toContain('Spend against the cap');
  expect(html).not.toContain('Failed calls by cause');
  expect(html).toContain('started <b>–</b>');
});

test('what the hover tells stands with the chart, moment by moment', () => {
  const [told = ''] = /data-told="([^"]+)"/.exec(overTime(pointsOf(at(1), at(3)).all))?.slice(1) ?? [];
  expect(JSON.parse(told.replaceAll('&quot;', '"'))).toEqual({
    x: [
      [0, 'at 1 s'],
      [1, 'at 3 s'],
    ],
    values: [
      ['2.40', '2.40'],
      ['2.50', '2.50'],
    ],
  });
});

test('a load of hours keeps few moments, from its first to its last, and the next load begins anew', () => {
  const points = pointsOf(...Array.from({ length: 5_000 }, (_, second) => at(second)));
  expect(points.all.length).toBeLessThanOrEqual(601);
  expect([points.all.at(0)?.s, points.all.at(-1)?.s]).toEqual([0, 4_999]);
  points.take(at(1, { instance: 'step2' }));
  expect(points.all.map(({ s }) => s)).toEqual([1]);
});
