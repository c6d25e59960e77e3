import { expect, it } from 'vitest';
import { thresholdsOf } from '../scenarios/lib/thresholds-of.ts';
import { LOAD_METRICS } from '../src/contracts/metrics/metric-catalogue.ts';
import { objectiveOf } from '../src/workload/plan.test-support.ts';

const OBJECTIVES = [
  objectiveOf({ scenario: 'elsewhere', measure: 'ttft_ms', percentile: 50, max: 1 }),
  objectiveOf({ measure: 'ttft_ms', percentile: 95, max: 400 }),
  objectiveOf({ measure: 'e2e_ms', percentile: 99.9, max: 9000 }),
  objectiveOf({ measure: 'error_share', max: 0.9 }),
  objectiveOf({ measure: 'error_share', max: 0.01 }),
  objectiveOf({ measure: 'dropped_share', max: 0 }),
  objectiveOf({ measure: 'attainment_share', min: 0.98 }),
  objectiveOf({ measure: 'goodput_rate', min: 5 }),
  objectiveOf({ measure: 'usd_per_1000_good', max_usd: '1.5' }),
];

it('puts each objective on a rate of the measured calls, under its index in the plan', () => {
  expect(thresholdsOf(OBJECTIVES, ['chat'])).toEqual({
    'weighbridge_attained{scenario:chat,objective:1}': ['rate>=0.95'],
    'weighbridge_attained{scenario:chat,objective:2}': ['rate>=0.999'],
    'weighbridge_ok{scenario:chat,phase:measured}': ['rate>=0.1', 'rate>=0.99'],
    'weighbridge_dropped{scenario:chat}': ['rate<=0'],
    'weighbridge_attained{scenario:chat,objective:good}': ['rate>=0.98'],
  });
});

it('never stands on a metric that keeps its samples, nor on one that nobody registers', () => {
  const types = new Map<string, string>(Object.values(LOAD_METRICS).map(({ name, type }) => [name, type]));
  for (const threshold of Object.keys(thresholdsOf(OBJECTIVES, ['chat', 'elsewhere']))) {
    expect([threshold, types.get(threshold.split('{')[0] ?? '')]).toEqual([threshold, 'rate']);
  }
});
