import { counterSeries, gaugeSeries, type RuleCase } from './rule-case.ts';

const UP = 'up{job="weighbridge-probe",instance="daemon:9464"}';
const DAEMON = 'job="weighbridge-probe",instance="daemon:9464"';
const LABELS = { job: 'weighbridge-probe', instance: 'daemon:9464' };

export const DAEMON_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeDaemonDown',
    step: '30s',
    lengths: [20, 20, 20],
    series: [gaugeSeries(UP, 1, 0, 1)],
    labels: LABELS,
  },
  {
    alert: 'WeighbridgeDaemonAbsent',
    step: '30s',
    lengths: [20, 30, 20],
    series: [gaugeSeries(UP, 1, null, 1)],
    labels: { job: 'weighbridge-probe' },
  },
  {
    alert: 'WeighbridgeConfigReloadFailed',
    step: '30s',
    lengths: [20, 20, 20],
    series: [gaugeSeries(`weighbridge_config_last_reload_successful{${DAEMON}}`, 1, 0, 1)],
    labels: LABELS,
  },
  {
    alert: 'WeighbridgeLabelOverflow',
    step: '1m',
    lengths: [20, 5, 70],
    series: [
      counterSeries(
        `weighbridge_label_overflow_total{${DAEMON},metric="weighbridge_probe_runs_total"}`,
        0,
        1,
        0,
      ),
    ],
    labels: { ...LABELS, metric: 'weighbridge_probe_runs_total' },
  },
];
