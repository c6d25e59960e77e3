import { expect, it } from 'vitest';
import { errorsOf, middleOf, roundedOf, truthOf } from './peer-figures.ts';

const CALLS = Array.from({ length: 101 }, (_, n) => ({
  type: 'call' as const,
  first_token_ms: n === 100 ? null : n,
  end_ms: 1000 + n,
}));

it('reads the truth at the quantiles that tools tell, of calls that had a first token', () => {
  const { ttft, e2e } = truthOf(CALLS);
  expect([roundedOf(ttft), e2e]).toEqual([
    { p50: 49.5, p99: 98.01 },
    { p50: 1050, p99: 1099 },
  ]);
  expect(truthOf([])).toEqual({ ttft: { p50: null, p99: null }, e2e: { p50: null, p99: null } });
});

it('gives what a tool says above the truth, and nothing for what it does not say', () => {
  const truth = truthOf(CALLS);
  const told = { ttft: { p50: null, p99: 99 }, e2e: { p50: 1051.5, p99: 1098 } };
  expect(errorsOf(told, truth)).toEqual({
    ttft_error_ms: { p50: null, p99: 0.99 },
    e2e_error_ms: { p50: 1.5, p99: -1 },
  });
});

it('gives the middle of each figure over the rounds, and a failure where there is one', () => {
  const round = (cpu_s_per_1000: number, p99: number | null) => ({
    ...{
      name: 'a',
      version: '1',
      command: 'a run',
      calls: 4,
      completed: 4,
      cpu_s_per_1000,
      peak_mb: 9,
      other_cpu_s: 1,
    },
    ttft_error_ms: { p50: null, p99: null },
    e2e_error_ms: { p50: 1, p99 },
    true_ttft_ms: { p50: 1, p99: 2 },
    true_e2e_ms: { p50: 1, p99: 2 },
  });
  const rounds = [round(3, 9), round(1, null), round(2, 7)];
  expect(middleOf(rounds)).toMatchObject({ cpu_s_per_1000: 2, e2e_error_ms: { p50: 1, p99: 8 } });
  const failed = { name: 'a', missing: 'it did not end' };
  expect(middleOf([round(1, 1), failed])).toEqual(failed);
});
