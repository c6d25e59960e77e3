import { describe, expect, test } from 'vitest';
import { arrivalFigures } from './arrival-figures.ts';

const even = Array.from({ length: 1000 }, (_, index) => 5000 + index * 2000);

describe('arrivalFigures', () => {
  test('an even schedule has no error, wherever it begins', () => {
    expect(arrivalFigures(even, 500)).toEqual({
      arrived: 1000,
      mean_rate: 500,
      gap_error_p99_ms: 0,
      deviation_p99_ms: 0,
    });
  });

  test('one tenth that comes 3 ms late is seen in gaps and places', () => {
    const late = even.map((us, index) => (index % 10 === 5 ? us + 1500 : us));
    const figures = arrivalFigures(late, 500);
    expect(figures.gap_error_p99_ms).toBeCloseTo(1.5);
    expect(figures.deviation_p99_ms).toBeCloseTo(1.5);
  });

  test('bursts of 50 each tenth of a second hold the rate and miss the schedule', () => {
    const bursts = even.map((_, index) => Math.floor(index / 50) * 100_000);
    const figures = arrivalFigures(bursts, 500);
    expect(figures.mean_rate ?? 0).toBeGreaterThan(490);
    expect(figures.gap_error_p99_ms ?? 0).toBeGreaterThan(1.9);
    expect(figures.deviation_p99_ms ?? 0).toBeGreaterThan(48);
  });
});
