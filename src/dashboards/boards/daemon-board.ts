import type { BoardSpec } from './board-spec.ts';
import { probeSelector } from './select.ts';

const LAG = 'weighbridge_probe_schedule_lag_seconds';

export const DAEMON_BOARD: BoardSpec = {
  uid: 'weighbridge-daemon',
  title: 'Weighbridge: the daemon itself',
  description: 'Whether the watcher watches.',
  family: 'probe',
  panels: (time) => [
    {
      title: 'Scraped',
      description: 'Whether Prometheus reaches the daemon.',
      unit: 'bool_yes_no',
      kind: 'state',
      width: 12,
      queries: [{ expr: probeSelector('up'), legend: '{{instance}}' }],
    },
    {
      title: 'Configuration loaded',
      description: 'No: the last change was refused and what ran before still runs.',
      unit: 'bool_yes_no',
      kind: 'state',
      width: 12,
      queries: [{ expr: probeSelector('weighbridge_config_last_reload_successful'), legend: '{{instance}}' }],
    },
    {
      title: 'Version',
      description: 'Of the running daemon, and since when it runs.',
      unit: 'dtdurations',
      kind: 'table',
      width: 12,
      queries: [
        {
          expr: `(time() - ${probeSelector('process_start_time_seconds')}) * on (job, instance) group_right () ${probeSelector('weighbridge_build_info')}`,
          legend: '{{version}}',
        },
      ],
    },
    {
      title: 'Credentials that can be read',
      description: 'No: the file or the variable is gone; the value before is kept in use.',
      unit: 'bool_yes_no',
      kind: 'state',
      width: 12,
      queries: [
        { expr: probeSelector('weighbridge_credential_readable'), legend: '{{target}} {{credential}}' },
      ],
    },
    {
      title: 'Lateness of runs',
      description: 'Planned to real start, 99 of 100 of the last hour.',
      unit: 's',
      kind: 'timeseries',
      width: 12,
      queries: [
        {
          expr: `histogram_quantile(0.99, sum by (le, instance) (increase(${probeSelector(LAG, '', '_bucket')}[${time.span('1h')}])))`,
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Runs not started',
      description: 'By reason, in the last hour: overlap, concurrency, budget, paused, retry_after.',
      unit: 'short',
      kind: 'stacked',
      width: 12,
      queries: [
        {
          expr: `sum by (target, reason) (increase(${probeSelector('weighbridge_probe_skipped_total')}[${time.span('1h')}]))`,
          legend: '{{target}} {{reason}}',
        },
      ],
    },
    {
      title: 'Runs under way',
      description: 'By target and api.',
      unit: 'short',
      kind: 'timeseries',
      width: 8,
      queries: [{ expr: probeSelector('weighbridge_probe_in_flight'), legend: '{{target}} {{api}}' }],
    },
    {
      title: 'Lateness of a timer',
      description:
        'Of 10 ms, 99 of 100 within ten seconds: beyond a few milliseconds times to the first token are doubtful.',
      unit: 's',
      kind: 'timeseries',
      width: 8,
      queries: [{ expr: probeSelector('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
    },
    {
      title: 'Memory',
      description: 'Resident; flat over days.',
      unit: 'bytes',
      kind: 'timeseries',
      width: 8,
      queries: [{ expr: probeSelector('process_resident_memory_bytes'), legend: '{{instance}}' }],
    },
    {
      title: 'Processor',
      description: 'Cores used.',
      unit: 'none',
      kind: 'timeseries',
      width: 8,
      queries: [
        {
          expr: `rate(${probeSelector('process_cpu_seconds_total')}[$__rate_interval])`,
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Series',
      description: 'Samples of a scrape.',
      unit: 'short',
      kind: 'timeseries',
      width: 8,
      queries: [{ expr: probeSelector('scrape_samples_scraped'), legend: '{{instance}}' }],
    },
    {
      title: 'Length of a scrape',
      description: 'As Prometheus sees it, and the rendering within it.',
      unit: 's',
      kind: 'timeseries',
      width: 8,
      queries: [
        { expr: probeSelector('scrape_duration_seconds'), legend: '{{instance}} scrape' },
        { expr: probeSelector('weighbridge_metrics_render_seconds'), legend: '{{instance}} rendering' },
      ],
    },
    {
      title: 'Failures to write, 24 h',
      description:
        'Of budget and task journal, and of the archive. Paid probes stop rather than spend without a journal.',
      unit: 'short',
      kind: 'stacked',
      width: 12,
      queries: [
        {
          expr: `sum by (instance) (increase(${probeSelector('weighbridge_state_write_failures_total')}[${time.span('1d')}]))`,
          legend: '{{instance}} state',
        },
        {
          expr: `sum by (target, document) (increase(${probeSelector('weighbridge_archive_write_failures_total')}[${time.span('1d')}]))`,
          legend: '{{target}} {{document}}',
        },
      ],
    },
    {
      title: 'Age of the archive',
      description: 'Time since each document was last stored as served.',
      unit: 'dtdurations',
      kind: 'table',
      width: 12,
      queries: [
        {
          expr: `time() - ${probeSelector('weighbridge_archive_last_write_timestamp_seconds')}`,
          legend: '{{target}} {{document}}',
        },
      ],
    },
    {
      title: 'Age of the configuration',
      description: 'Time since it was last loaded with success.',
      unit: 'dtdurations',
      kind: 'stat',
      width: 24,
      queries: [
        {
          expr: `time() - ${probeSelector('weighbridge_config_last_reload_success_timestamp_seconds')}`,
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Label values folded, 24 h',
      description: 'Values on no list, or beyond the limit on series of their metric.',
      unit: 'short',
      kind: 'stacked',
      width: 24,
      queries: [
        {
          expr: `sum by (metric) (increase(${probeSelector('weighbridge_label_overflow_total')}[${time.span('1d')}]))`,
          legend: '{{metric}}',
        },
      ],
    },
  ],
};
