import { expect, it } from 'vitest';
import type { ComparedFigure } from '../../contracts/comparison.ts';
import { seededRandom } from '../../core/seeded-random.ts';
import { compareSamples } from './compare-samples.ts';
import type { KindSample, SampledCall } from './kind-sample.ts';

/** Calls that wait for the same things as their neighbours: each is as slow as its minute, and a little by itself. */
function sampleOf(seed: number, calls: number, factor = 1, failing = 0): readonly KindSample[] {
  const random = seededRandom('sample', seed);
  let minute = 0;
  const made = Array.from({ length: calls }, (_, index): SampledCall => {
    if (index % 5 === 0) minute = random.next() * 100;
    const e2e = (200 + minute + random.next() * 100) * factor;
    const failed = random.next() < failing;
    const times = failed ? null : { ttft: e2e / 3, ttfo: null, tpot: null, e2e, e2ePlanned: null };
    return { times, judged: true, good: !failed, cost: 1_000_000n };
  });
  return [{ kind: 'chat', calls: made }];
}

function figure(figures: readonly ComparedFigure[], measure: ComparedFigure['measure']): ComparedFigure {
  const found = figures.find((each) => each.measure === measure);
  if (found === undefined) throw new Error(`no ${measure}`);
  return found;
}

it('shows a difference that is there, with an interval around it', () => {
  const figures = compareSamples(sampleOf(1, 600), sampleOf(2, 600, 1.15, 0.1));
  const e2e = figure(figures, 'e2e_p50');
  expect(e2e.verdict).toBe('worse');
  expect(e2e.low).toBeLessThan(0.15 * 300);
  expect(e2e.high).toBeGreaterThan(0.15 * 300);
  expect(figure(figures, 'error_share')).toMatchObject({ verdict: 'worse', before: 0, change: null });
  expect(figure(compareSamples(sampleOf(2, 600, 1.15), sampleOf(1, 600)), 'e2e_p50').verdict).toBe('better');
});

it('finds a difference in few comparisons of equal runs, although neighbours are alike', () => {
  const verdicts = Array.from({ length: 24 }, (_, pair) =>
    compareSamples(sampleOf(100 + 2 * pair, 300), sampleOf(101 + 2 * pair, 300)).map(
      ({ verdict }) => verdict,
    ),
  ).flat();
  const wrong = verdicts.filter((verdict) => verdict === 'worse' || verdict === 'better').length;
  expect(verdicts.length).toBeGreaterThan(150);
  expect(wrong / verdicts.length).toBeLessThan(0.04);
});

it('says nothing of what too few calls show', () => {
  const figures = compareSamples(sampleOf(1, 60), sampleOf(2, 60, 3));
  expect(figure(figures, 'e2e_p99')).toMatchObject({ verdict: 'too_few_calls', low: null, high: null });
  expect(figure(figures, 'e2e_p50').verdict).toBe('worse');
  expect(figure(compareSamples(sampleOf(1, 12), sampleOf(2, 12, 3)), 'error_share').verdict).toBe(
    'too_few_calls',
  );
});

it('gives the same figures for the same runs, and none for a kind that one of them lacks', () => {
  const [before, after] = [sampleOf(1, 200), sampleOf(2, 200)];
  expect(compareSamples(before, after)).toEqual(compareSamples(before, after));
  expect(compareSamples(before, [])).toEqual([]);
});

it('resamples cost as what all calls cost over the good ones', () => {
  const cost = figure(compareSamples(sampleOf(1, 400), sampleOf(2, 400, 1, 0.2)), 'usd_per_1000_good');
  expect(cost.before).toBeCloseTo(0.001, 9);
  expect(cost.after).toBeGreaterThan(0.0011);
  expect(cost.verdict).toBe('worse');
});
