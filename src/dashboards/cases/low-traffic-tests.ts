import type { PromtoolTest } from './promtool-test.ts';

const RUN = 'probe="film",target="a",api="video"';
const GOOD = `weighbridge_probe_runs_total{${RUN},error_type="",blame="none"}`;

/** What the floors, the blame and the counters born at 0 are there for. */
export function lowTrafficTests(): readonly PromtoolTest[] {
  return [
    {
      // A quarter of the runs of the hour and half of those of five minutes: both ratios are far above the limit.
      name: 'one failure of a probe that runs every ten minutes does not page',
      interval: '30s',
      input_series: [
        { series: GOOD, values: '0x20 1x19 2x19 3x19 4x19 5x19' },
        {
          series: `weighbridge_probe_runs_total{${RUN},error_type="task_failed",blame="upstream"}`,
          values: '0x60 1x60',
        },
      ],
      promql_expr_test: ['32m', '33m', '34m', '35m'].flatMap((at) => [
        silent('WeighbridgeErrorBudgetFastBurn', at),
        silent('WeighbridgeErrorBudgetMediumBurn', at),
      ]),
    },
    {
      name: 'an empty wallet does not burn the budget of the service',
      interval: '30s',
      input_series: [
        { series: GOOD, values: '0+1x20 20x200' },
        {
          series: `weighbridge_probe_runs_total{${RUN},error_type="insufficient_user_quota",blame="account"}`,
          values: '0x20 0+1x200',
        },
      ],
      promql_expr_test: [
        silent('WeighbridgeErrorBudgetFastBurn', '60m'),
        {
          expr: 'ALERTS{alertname="WeighbridgeCreditRefused",alertstate="firing"}',
          eval_time: '20m',
          exp_samples: [
            {
              labels:
                'ALERTS{alertname="WeighbridgeCreditRefused",alertstate="firing",severity="page",target="a"}',
              value: 1,
            },
          ],
        },
      ],
    },
    {
      // No task has been open since the one that it asked for at the start.
      name: 'a probe that has nothing to ask with is not stale',
      interval: '30s',
      input_series: [
        {
          series: 'weighbridge_probe_last_run_timestamp_seconds{probe="early",target="a"}',
          values: '60x400',
        },
        { series: 'weighbridge_probe_interval_seconds{probe="early",target="a"}', values: '600x400' },
        {
          series: 'weighbridge_probe_skipped_total{probe="early",target="a",reason="paused"}',
          values: '0+1x400',
        },
      ],
      promql_expr_test: [silent('WeighbridgeProbeStale', '1h'), silent('WeighbridgeProbeStale', '3h')],
    },
    {
      name: 'an idle account has no runway, and no alert',
      interval: '30s',
      input_series: [
        { series: 'weighbridge_account_used_quota_units{target="a"}', values: '500x900' },
        { series: 'weighbridge_account_quota_units{target="a"}', values: '100000x900' },
      ],
      promql_expr_test: [
        { expr: 'target:weighbridge_account_runway_seconds', eval_time: '7h', exp_samples: [] },
        silent('WeighbridgeRunwayShort', '7h'),
      ],
    },
    {
      name: 'the runway is exact',
      interval: '30s',
      input_series: [
        { series: 'weighbridge_account_used_quota_units{target="a"}', values: '0+50x1200' },
        { series: 'weighbridge_account_quota_units{target="a"}', values: '100000-50x1200' },
      ],
      promql_expr_test: [
        {
          expr: 'target:weighbridge_account_runway_seconds',
          eval_time: '400m',
          exp_samples: [{ labels: 'target:weighbridge_account_runway_seconds{target="a"}', value: 36_000 }],
        },
      ],
    },
    {
      name: 'a load run excuses its own target and no other, and half an hour beyond',
      interval: '30s',
      input_series: [
        { series: refused('a'), values: '0+1x200' },
        { series: refused('b'), values: '0+1x200' },
        {
          series: 'k6_weighbridge_run_active{target="http://gateway.example",instance="one"}',
          values: '1x40 _x160',
        },
        { series: 'weighbridge_target_info{target="a",base="http://gateway.example"}', values: '1x200' },
        { series: 'weighbridge_target_info{target="b",base="http://other.example"}', values: '1x200' },
      ],
      promql_expr_test: ['20m', '45m', '55m'].map((eval_time) => ({
        expr: 'ALERTS{alertname="WeighbridgeCreditRefused",alertstate="firing"}',
        eval_time,
        exp_samples: (eval_time === '55m' ? ['a', 'b'] : ['b']).map((target) => ({
          labels: `ALERTS{alertname="WeighbridgeCreditRefused",alertstate="firing",severity="page",target="${target}"}`,
          value: 1,
        })),
      })),
    },
  ];
}

function refused(target: string): string {
  return `weighbridge_probe_runs_total{probe="film",target="${target}",api="video",error_type="insufficient_user_quota",blame="account"}`;
}

function silent(alert: string, eval_time: string): PromtoolTest['promql_expr_test'][number] {
  return { expr: `ALERTS{alertname="${alert}"}`, eval_time, exp_samples: [] };
}
