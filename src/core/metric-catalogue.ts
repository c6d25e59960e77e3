/** Metrics that k6 registers for a call. Prometheus remote write adds `k6_` and its own suffixes: none stands here. */
export type LoadMetricType = 'counter' | 'rate' | 'trend_ms';

export interface LoadMetric {
  readonly name: string;
  readonly type: LoadMetricType;
  readonly help: string;
}

/** Tags of every load metric but `dropped`, whose slots never became a call. k6 adds `scenario`. */
export const LOAD_METRIC_TAGS = ['kind', 'model', 'outcome'] as const;

export const LOAD_METRICS = {
  calls: { name: 'weighbridge_calls', type: 'counter', help: 'Paid calls that ended, not_sent included.' },
  ok: { name: 'weighbridge_ok', type: 'rate', help: 'Share of paid calls sent whose outcome is ok.' },
  ttft: { name: 'weighbridge_ttft', type: 'trend_ms', help: 'Sent to first generated content, ok streams.' },
  tpot: {
    name: 'weighbridge_tpot',
    type: 'trend_ms',
    help: 'First content to end over output tokens less one, ok streams of two tokens or more.',
  },
  duration: { name: 'weighbridge_duration', type: 'trend_ms', help: 'Sent to end, ok paid calls.' },
  schedule_lag: {
    name: 'weighbridge_schedule_lag',
    type: 'trend_ms',
    help: 'Actual less planned start, all paid calls with a planned start.',
  },
  dropped: {
    name: 'weighbridge_dropped',
    type: 'rate',
    help: 'Share of planned starts that found no free slot.',
  },
} as const satisfies Readonly<Record<string, LoadMetric>>;
