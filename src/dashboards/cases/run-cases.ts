import { type CaseSeries, clock, grows, levels, type RuleCase } from './rule-case.ts';

const PROBE = 'probe="chat",target="a"';
const GOOD = `weighbridge_probe_runs_total{${PROBE},api="chat",model="m",error_type="",blame="none"}`;
const FAILED = `weighbridge_probe_runs_total{${PROBE},api="chat",model="m",error_type="upstream_error",blame="upstream"}`;
const OUTAGE: CaseSeries = { [GOOD]: grows(1, 0, 1), [FAILED]: grows(0, 1, 0) };

/** The last run of a probe and its last good one, as they stand in an outage. */
function lastRunOf(name: string): CaseSeries {
  const probe = `probe="${name}",target="a"`;
  return {
    [`weighbridge_probe_success{${probe},api="models",model="",stream="false"}`]: levels(1, 0, 1),
    [`weighbridge_probe_last_run_timestamp_seconds{${probe}}`]: clock('now', 'now', 'now'),
    [`weighbridge_probe_last_success_timestamp_seconds{${probe}}`]: clock('now', 'frozen', 'now'),
  };
}

export const RUN_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeProbeStale',
    lengths: [20, 12, 10],
    series: {
      [`weighbridge_probe_last_run_timestamp_seconds{${PROBE}}`]: clock('now', 'frozen', 'now'),
      [`weighbridge_probe_interval_seconds{${PROBE}}`]: levels(60, 60, 60),
    },
    labels: { probe: 'chat', target: 'a' },
  },
  {
    alert: 'WeighbridgeTargetDown',
    step: '30s',
    lengths: [20, 20, 20],
    series: Object.assign({}, ...['one', 'two', 'three'].map(lastRunOf)),
    labels: { target: 'a' },
  },
  {
    alert: 'WeighbridgeProbeDown',
    lengths: [60, 60, 40],
    series: {
      [`weighbridge_probe_success{${PROBE},api="chat",model="m",stream="true"}`]: levels(1, 0, 1),
      [`weighbridge_probe_last_run_timestamp_seconds{${PROBE}}`]: clock('now', 'now', 'now'),
    },
    labels: { probe: 'chat', target: 'a', api: 'chat', model: 'm', stream: 'true' },
  },
  {
    alert: 'WeighbridgeErrorBudgetFastBurn',
    step: '30s',
    lengths: [120, 40, 70],
    series: OUTAGE,
    labels: { target: 'a', api: 'chat' },
  },
  {
    alert: 'WeighbridgeErrorBudgetMediumBurn',
    lengths: [120, 60, 60],
    series: OUTAGE,
    labels: { target: 'a', api: 'chat' },
  },
  {
    alert: 'WeighbridgeErrorBudgetSlowBurn',
    step: '5m',
    lengths: [300, 24, 80],
    series: OUTAGE,
    labels: { target: 'a', api: 'chat' },
  },
  {
    alert: 'WeighbridgeStreamBroken',
    lengths: [40, 10, 40],
    series: {
      [`weighbridge_probe_runs_total{${PROBE},api="chat",model="m",error_type="stream_truncated",blame="gateway"}`]:
        grows(0, 1, 0),
    },
    labels: { target: 'a', api: 'chat', error_type: 'stream_truncated' },
  },
  {
    alert: 'WeighbridgeUpstreamCrowded',
    lengths: [40, 40, 60],
    series: {
      [GOOD]: grows(1, 1, 1),
      [`weighbridge_probe_runs_total{${PROBE},api="chat",model="m",error_type="upstream_crowded",blame="upstream"}`]:
        grows(0, 1, 0),
    },
    labels: { target: 'a', model: 'm' },
  },
  {
    alert: 'WeighbridgeNegativeProbeAccepted',
    lengths: [20, 5, 70],
    series: {
      'weighbridge_probe_runs_total{probe="no-key",target="a",api="negative",error_type="unexpected_accept",blame="gateway"}':
        grows(0, 1, 0),
    },
    labels: { probe: 'no-key', target: 'a' },
  },
  {
    alert: 'WeighbridgeContractViolation',
    step: '5m',
    lengths: [20, 5, 80],
    series: { 'weighbridge_contract_violations_total{target="a",rule="error_shape"}': grows(0, 1, 0) },
    labels: { target: 'a', rule: 'error_shape' },
  },
];
