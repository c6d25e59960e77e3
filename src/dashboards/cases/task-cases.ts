import { clock, counterSeries, gaugeSeries, type RuleCase } from './rule-case.ts';

const VIDEO = 'probe="film",target="a",api="video"';

export const TASK_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeTaskStuck',
    step: '1m',
    lengths: [20, 60, 20],
    series: [
      clock(`weighbridge_probe_task_oldest_open_timestamp_seconds{${VIDEO}}`, 'none', 'frozen', 'none'),
      gaugeSeries(`weighbridge_probe_tasks_open{${VIDEO}}`, 0, 1, 0),
    ],
    labels: { probe: 'film', target: 'a', api: 'video' },
  },
  {
    alert: 'WeighbridgeTaskFailureRatio',
    step: '5m',
    lengths: [80, 30, 80],
    series: [
      counterSeries(`weighbridge_probe_tasks_total{${VIDEO},model="v",final="completed"}`, 1, 0, 1),
      counterSeries(`weighbridge_probe_tasks_total{${VIDEO},model="v",final="failed"}`, 0, 1, 0),
    ],
    labels: { target: 'a', api: 'video' },
  },
  {
    alert: 'WeighbridgeIllegalTransition',
    step: '1m',
    lengths: [20, 5, 70],
    series: [
      counterSeries(
        'weighbridge_probe_task_transitions_total{target="a",api="video",from="completed",to="in_progress",legal="false"}',
        0,
        1,
        0,
      ),
    ],
    labels: { target: 'a', api: 'video', from: 'completed', to: 'in_progress' },
  },
];
