import { expect, test } from 'vitest';
import { curveHtml } from './curve-html.ts';

const point = (label: string, x: number, y: number) => ({ label, x, y, tone: 'good' }) as const;
const AXES = { title: 'Throughput', x: 'calls per second', y: 'ms' };

test('points are joined in the order of x, on axes from 0 to a round number above all', () => {
  const html = curveHtml({ ...AXES, points: [point('b', 40, 900), point('a', 20, 300)] });
  expect(html.indexOf('>a<')).toBeLessThan(html.indexOf('>b<'));
  for (const tick of ['0', '25', '50', '500', '1000']) expect(html).toContain(`>${tick}</text>`);
  expect(html).toContain('<title>a: 20 calls per second, 300 ms</title>');
  expect(html).toContain('aria-label="Throughput: a 20 and 300; b 40 and 900"');
});

test('one point is no curve', () => {
  expect(curveHtml({ ...AXES, points: [point('a', 20, 300)] })).toBe('');
});
