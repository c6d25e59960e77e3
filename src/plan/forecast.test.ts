import { describe, expect, it } from 'vitest';
import { resolve } from './plan.test-support.ts';

const forecastOf = (yaml: string) => resolve(yaml).forecast;

describe('the forecast of a load', () => {
  const once =
    'duration: 10s\ntraffic: [{kind: chat, rate: 1/s, prompt_tokens: 100, max_tokens: 50, max_in_flight: 3}]';

  it('expects each call once, and in the worst case every attempt', () => {
    const [plain, retried] = [once, `retry: {max_attempts: 3}\n${once}`].map(
      (yaml) => forecastOf(yaml).total,
    );
    expect(retried?.expected_usd).toBe(plain?.expected_usd);
    expect(Number(retried?.worst_case_usd)).toBeCloseTo(3 * Number(plain?.worst_case_usd), 9);
    expect(retried?.held_usd).toBe(plain?.held_usd);
  });

  it('counts cut calls as whole ones: they can be charged so', () => {
    const cut = once.replace('max_in_flight', 'abort: {share: 1, after: 1s}, max_in_flight');
    expect(forecastOf(cut)).toEqual(forecastOf(once));
  });

  it('sums a distribution exactly over the planned calls, and takes its largest in the worst case', () => {
    const uniform = once.replace('100', '{distribution: uniform, min: 80, max: 89}');
    const [row] = forecastOf(uniform).scenarios;
    // Ten calls, ten sizes: each once.
    expect(row).toMatchObject({ calls: 10, input_tokens: 845 });
    const largest = forecastOf(once.replace('100', '89'));
    expect(row?.worst_case_usd).toBe(largest.total.worst_case_usd);
  });

  it('lets the input of a session grow with each turn', () => {
    const [row] = forecastOf(once.replace('max_in_flight', 'session: {turns: 2}, max_in_flight')).scenarios;
    expect(row).toMatchObject({
      calls: 20,
      input_tokens: 10 * (100 + 100 + 150),
      cacheable_tokens: 10 * 150,
      output_tokens: 1_000,
      // One call: two prompts and an answer of the model's most, 8192 tokens, at 5 bytes each.
      held_usd: (3 * ((1_000 + 8_192 * 5 + 1_024) * 1e-7 + 8_192 * 4e-7 + 1e-6)).toFixed(7),
    });
  });

  it('does not know how many calls a closed loop makes, but what they hold at once', () => {
    const loop = 'traffic: [{kind: chat, concurrency: 3, prompt_tokens: 100, max_tokens: 50}]';
    const { total, scenarios } = forecastOf(loop);
    expect(total).toMatchObject({ calls: null, expected_usd: null, worst_case_usd: null });
    expect(scenarios[0]).toMatchObject({ calls: null, input_tokens: null });
    expect(total.held_usd).toBe(forecastOf(once).total.held_usd);
    const counted = forecastOf(loop.replace('concurrency: 3', 'concurrency: 3, max_calls: 10')).total;
    expect(counted).toEqual(forecastOf(once).total);
  });

  it('holds no more at once than may be in flight, the dearest first', () => {
    const two = `traffic: [{kind: chat, rate: 10/s, model: dear, max_in_flight: 4}, {kind: chat, rate: 10/s, model: cheap, max_in_flight: 6}]`;
    const held = (limits: string) => Number(forecastOf(`${limits}\n${two}`).total.held_usd);
    const [dear = 0, cheap = 0] = forecastOf(two).scenarios.map(({ held_usd }) => Number(held_usd));
    expect(held('')).toBeCloseTo(dear + cheap, 9);
    expect(held('limits: {max_in_flight: 4}')).toBeCloseTo(dear, 9);
    expect(held('limits: {max_in_flight: 7}')).toBeCloseTo(dear + cheap / 2, 9);
    expect(held('models: {dear: {max_in_flight: 1}}')).toBeCloseTo(dear / 4 + cheap, 9);
  });

  it('is quick for a million calls of a distribution', () => {
    const million = `duration: 100s\ntraffic: [{kind: chat, rate: 10000/s, prompt_tokens: {distribution: normal, mean: 100, stddev: 20}}]`;
    const [row] = forecastOf(million).scenarios;
    expect(row?.calls).toBe(1_000_000);
    expect(Math.abs((row?.input_tokens ?? 0) / 1e8 - 1)).toBeLessThan(0.001);
  });
});
