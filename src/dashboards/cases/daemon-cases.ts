import { type CaseSeries, clock, grows, levels, type RuleCase } from './rule-case.ts';

const UP = 'up{job="weighbridge-probe",instance="daemon:9464"}';
const DAEMON = 'job="weighbridge-probe",instance="daemon:9464"';
const LABELS = { job: 'weighbridge-probe', instance: 'daemon:9464' };

export const DAEMON_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeDaemonDown',
    step: '30s',
    lengths: [20, 20, 20],
    series: { [UP]: levels(1, 0, 1) },
    labels: LABELS,
  },
  {
    alert: 'WeighbridgeDaemonAbsent',
    step: '30s',
    lengths: [20, 30, 20],
    series: { [UP]: levels(1, null, 1) },
    labels: { job: 'weighbridge-probe' },
  },
  {
    alert: 'WeighbridgeConfigReloadFailed',
    step: '30s',
    lengths: [20, 20, 20],
    series: { [`weighbridge_config_last_reload_successful{${DAEMON}}`]: levels(1, 0, 1) },
    labels: LABELS,
  },
  {
    alert: 'WeighbridgeLabelOverflow',
    lengths: [20, 5, 70],
    series: {
      [`weighbridge_label_overflow_total{${DAEMON},metric="weighbridge_probe_runs_total"}`]: grows(0, 1, 0),
    },
    labels: { ...LABELS, metric: 'weighbridge_probe_runs_total' },
  },
];

/** The next run is expected a day after the last one ended, and the last one stays the last. */
export const SCHEDULE_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeScheduledRunMissing',
    step: '10m',
    lengths: [20, 20, 20],
    series: {
      'weighbridge_scheduled_run_expected_timestamp_seconds{target="a"}': clock(3_600, 'frozen', 3_600),
    },
    labels: { target: 'a' },
  },
];

const VIDEO = 'probe="film",target="a",api="video"';

export const TASK_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeTaskStuck',
    lengths: [20, 60, 20],
    series: {
      [`weighbridge_probe_task_oldest_open_timestamp_seconds{${VIDEO}}`]: clock('none', 'frozen', 'none'),
      [`weighbridge_probe_tasks_open{${VIDEO}}`]: levels(0, 1, 0),
    },
    labels: { probe: 'film', target: 'a', api: 'video' },
  },
  {
    alert: 'WeighbridgeTaskFailureRatio',
    step: '5m',
    lengths: [80, 30, 80],
    series: {
      [`weighbridge_probe_tasks_total{${VIDEO},model="v",final="completed"}`]: grows(1, 0, 1),
      [`weighbridge_probe_tasks_total{${VIDEO},model="v",final="failed"}`]: grows(0, 1, 0),
    },
    labels: { target: 'a', api: 'video' },
  },
  {
    alert: 'WeighbridgeIllegalTransition',
    lengths: [20, 5, 70],
    series: {
      'weighbridge_probe_task_transitions_total{target="a",api="video",from="completed",to="in_progress",legal="false"}':
        grows(0, 1, 0),
    },
    labels: { target: 'a', api: 'video', from: 'completed', to: 'in_progress' },
  },
];

const TTFT = 'weighbridge_probe_time_to_first_token_seconds';
const STREAM = 'probe="chat",target="a",api="chat",model="m"';
const CHAT_LABELS = { target: 'a', api: 'chat', model: 'm' };

/** Buckets hold all that is below them: one that catches only sound streams stands still while they are slow. */
function bucket(bound: string, slow: 0 | 1): CaseSeries {
  return { [`${TTFT}_bucket{${STREAM},le="${bound}"}`]: grows(1, slow, 1) };
}

export const LATENCY_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeFirstTokenSlow',
    lengths: [70, 70, 80],
    series: {
      ...bucket('1', 0),
      ...bucket('5', 0),
      ...bucket('7.5', 0),
      ...bucket('10', 1),
      ...bucket('+Inf', 1),
      [`${TTFT}_count{${STREAM}}`]: grows(1, 1, 1),
    },
    labels: CHAT_LABELS,
  },
  {
    alert: 'WeighbridgeFirstTokenRegression',
    step: '10m',
    lengths: [300, 12, 12],
    series: {
      [`${TTFT}_count{${STREAM}}`]: grows(6, 6, 6),
      [`${TTFT}_sum{${STREAM}}`]: grows(6, 18, 6),
    },
    labels: CHAT_LABELS,
  },
];
