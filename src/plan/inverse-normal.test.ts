import { expect, it } from 'vitest';
import { inverseNormal } from './build-scenario.ts';

/** From Python's statistics.NormalDist().inv_cdf. */
it.each([
  [1e-10, -6.361340902404056],
  [0.0005, -3.2905267314918945],
  [0.025, -1.9599639845400538],
  [0.0751, -1.4388253927525398],
  [0.25, -0.6744897501960817],
  [0.5, 0],
  [0.6, 0.2533471031357998],
  [0.9, 1.2815515655446008],
  [0.975, 1.9599639845400536],
  [0.9995, 3.2905267314919255],
])('below the deviate of %d lies that share', (p, deviate) => {
  expect(inverseNormal(p)).toBeCloseTo(deviate, 6);
  expect(inverseNormal(1 - p)).toBeCloseTo(-deviate, 6);
});

it('ascends over the whole table of quantiles', () => {
  const deviates = Array.from({ length: 1_024 }, (_, index) => inverseNormal((index + 0.5) / 1_024));
  expect(deviates).toEqual(deviates.toSorted((a, b) => a - b));
  expect(new Set(deviates).size).toBe(1_024);
});
