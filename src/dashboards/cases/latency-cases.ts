import { type CaseSeries, counterSeries, type RuleCase } from './rule-case.ts';

const TTFT = 'weighbridge_probe_time_to_first_token_seconds';
const STREAM = 'probe="chat",target="a",api="chat",model="m"';
const LABELS = { target: 'a', api: 'chat', model: 'm' };

/** Buckets hold all that is below them: one that catches only sound streams stands still while they are slow. */
function bucket(bound: string, slow: 0 | 1): CaseSeries {
  return counterSeries(`${TTFT}_bucket{${STREAM},le="${bound}"}`, 1, slow, 1);
}

export const LATENCY_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeFirstTokenSlow',
    step: '1m',
    lengths: [70, 70, 80],
    series: [
      bucket('1', 0),
      bucket('5', 0),
      bucket('7.5', 0),
      bucket('10', 1),
      bucket('+Inf', 1),
      counterSeries(`${TTFT}_count{${STREAM}}`, 1, 1, 1),
    ],
    labels: LABELS,
  },
  {
    alert: 'WeighbridgeFirstTokenRegression',
    step: '10m',
    lengths: [300, 12, 12],
    series: [
      counterSeries(`${TTFT}_count{${STREAM}}`, 6, 6, 6),
      counterSeries(`${TTFT}_sum{${STREAM}}`, 6, 18, 6),
    ],
    labels: LABELS,
  },
];
