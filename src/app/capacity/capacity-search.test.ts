import { describe, expect, it } from 'vitest';
import type { CapacityStep } from '../../contracts/capacity-result.ts';
import { highestHeld, type NextStep, nextStep } from './capacity-search.ts';

type Step = Pick<CapacityStep, 'rate_scale' | 'verdict'>;
const BOUNDS = { from: 1, resolution: 0.05, mostSteps: 20 };

/** Searches a target that holds up to `capacity`. */
function search(capacity: number, changes: Partial<typeof BOUNDS> = {}) {
  const steps: Step[] = [];
  for (;;) {
    const next: NextStep = nextStep(steps, { ...BOUNDS, ...changes });
    if ('ended' in next) return { ended: next.ended, scales: steps.map((step) => step.rate_scale), steps };
    steps.push({ rate_scale: next.scale, verdict: next.scale <= capacity ? 'held' : 'missed' });
  }
}

describe('the search for the capacity', () => {
  it('doubles until a step misses, then bisects to the resolution', () => {
    const { ended, scales, steps } = search(11);
    expect(scales).toEqual([1, 2, 4, 8, 16, 12, 10, 11, 11.5]);
    expect([ended, highestHeld(steps)]).toEqual(['resolved', 11]);
  });

  it('goes down where the first step misses, and finds the capacity there, too', () => {
    const { ended, scales, steps } = search(0.3);
    expect(scales.slice(0, 3)).toEqual([1, 0.5, 0.25]);
    expect(ended).toBe('resolved');
    expect(highestHeld(steps)).toBeGreaterThan(0.28);
    expect(highestHeld(steps)).toBeLessThanOrEqual(0.3);
  });

  it('never makes more than the most steps', () => {
    expect(search(1e9, { mostSteps: 4 })).toMatchObject({ ended: 'most_steps', scales: [1, 2, 4, 8] });
    const nothingHolds = search(-1, { mostSteps: 3 });
    expect(nothingHolds).toMatchObject({ ended: 'most_steps', scales: [1, 0.5, 0.25] });
    expect(highestHeld(nothingHolds.steps)).toBeNull();
  });

  it('makes a step once more in which the client was late, and ends where it is late again', () => {
    const held = { rate_scale: 1, verdict: 'held' } as const;
    const late = { rate_scale: 2, verdict: 'client_limited' } as const;
    expect(nextStep([held, late], BOUNDS)).toEqual({ scale: 2 });
    expect(nextStep([held, late, { ...late, verdict: 'held' }], BOUNDS)).toEqual({ scale: 4 });
    expect(nextStep([held, late, late], BOUNDS)).toEqual({ ended: 'client_limited' });
    expect(nextStep([held, late], { ...BOUNDS, mostSteps: 2 })).toEqual({ ended: 'client_limited' });
  });

  it.each(['halted', 'too_few_calls'] as const)('ends with a step that is %s', (verdict) => {
    expect(
      nextStep(
        [
          { rate_scale: 1, verdict: 'held' },
          { rate_scale: 2, verdict },
        ],
        BOUNDS,
      ),
    ).toEqual({
      ended: verdict,
    });
  });
});
