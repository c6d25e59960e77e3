import type { BoardSpec } from './board-spec.ts';
import { growth, probeSelector, since } from './select.ts';

const LAG = 'weighbridge_probe_schedule_lag_seconds';

export const DAEMON_BOARD: BoardSpec = {
  uid: 'weighbridge-daemon',
  title: 'Weighbridge: the daemon itself',
  description: 'Whether the watcher watches.',
  panels: (time) => [
    {
      title: 'Scraped',
      description: 'Whether Prometheus reaches the daemon.',
      unit: 'bool_yes_no',
      kind: 'state',
      queries: { '{{instance}}': probeSelector('up') },
    },
    {
      title: 'Configuration loaded',
      description: 'No: the last change was refused and what ran before still runs.',
      unit: 'bool_yes_no',
      kind: 'state',
      queries: { '{{instance}}': probeSelector('weighbridge_config_last_reload_successful') },
    },
    {
      title: 'Version',
      description: 'Of the running daemon, and since when it runs.',
      unit: 'dtdurations',
      kind: 'table',
      queries: {
        '{{version}}': `(time() - ${probeSelector('process_start_time_seconds')}) * on (job, instance) group_right () ${probeSelector('weighbridge_build_info')}`,
      },
    },
    {
      title: 'Credentials that can be read',
      description: 'No: the file or the variable is gone; the value before is kept in use.',
      unit: 'bool_yes_no',
      kind: 'state',
      queries: { '{{target}} {{credential}}': probeSelector('weighbridge_credential_readable') },
    },
    {
      title: 'Lateness of runs',
      description: 'Planned to real start, 99 of 100 of the last hour.',
      unit: 's',
      queries: {
        '{{instance}}': `histogram_quantile(0.99, sum by (le, instance) (increase(${probeSelector(LAG, '', '_bucket')}[${time.span('1h')}])))`,
      },
    },
    {
      title: 'Runs not started',
      description: 'By reason, in the last hour: overlap, concurrency, budget, paused, retry_after.',
      kind: 'stacked',
      queries: {
        '{{target}} {{reason}}': growth('target, reason', 'weighbridge_probe_skipped_total', time.span('1h')),
      },
    },
    {
      title: 'Runs under way',
      description: 'By target and api.',
      width: 8,
      queries: { '{{target}} {{api}}': probeSelector('weighbridge_probe_in_flight') },
    },
    {
      title: 'Lateness of a timer',
      description:
        'Of 10 ms, 99 of 100 within ten seconds: beyond a few milliseconds times to the first token are doubtful.',
      unit: 's',
      width: 8,
      queries: { '{{instance}}': probeSelector('nodejs_eventloop_lag_p99_seconds') },
    },
    {
      title: 'Memory',
      description: 'Resident; flat over days.',
      unit: 'bytes',
      width: 8,
      queries: { '{{instance}}': probeSelector('process_resident_memory_bytes') },
    },
    {
      title: 'Processor',
      description: 'Cores used.',
      unit: 'none',
      width: 8,
      queries: { '{{instance}}': `rate(${probeSelector('process_cpu_seconds_total')}[$__rate_interval])` },
    },
    {
      title: 'Series',
      description: 'Samples of a scrape.',
      width: 8,
      queries: { '{{instance}}': probeSelector('scrape_samples_scraped') },
    },
    {
      title: 'Length of a scrape',
      description: 'As Prometheus sees it, and the rendering within it.',
      unit: 's',
      width: 8,
      queries: {
        '{{instance}} scrape': probeSelector('scrape_duration_seconds'),
        '{{instance}} rendering': probeSelector('weighbridge_metrics_render_seconds'),
      },
    },
    {
      title: 'Failures to write, 24 h',
      description:
        'Of budget and task journal, and of the archive. Paid probes stop rather than spend without a journal.',
      kind: 'stacked',
      queries: {
        '{{instance}} state': growth('instance', 'weighbridge_state_write_failures_total', time.span('1d')),
        '{{target}} {{document}}': growth(
          'target, document',
          'weighbridge_archive_write_failures_total',
          time.span('1d'),
        ),
      },
    },
    {
      title: 'Age of the archive',
      description: 'Time since each document was last stored as served.',
      unit: 'dtdurations',
      kind: 'table',
      queries: { '{{target}} {{document}}': since('weighbridge_archive_last_write_timestamp_seconds') },
    },
    {
      title: 'Age of the configuration',
      description: 'Time since it was last loaded with success.',
      unit: 'dtdurations',
      kind: 'stat',
      width: 24,
      queries: { '{{instance}}': since('weighbridge_config_last_reload_success_timestamp_seconds') },
    },
    {
      title: 'Label values folded, 24 h',
      description: 'Values on no list, or beyond the limit on series of their metric.',
      kind: 'stacked',
      width: 24,
      queries: { '{{metric}}': growth('metric', 'weighbridge_label_overflow_total', time.span('1d')) },
    },
  ],
};
