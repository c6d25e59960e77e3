import type { ExprTest, PromtoolTest } from './promtool-test.ts';

const RUN = 'probe="film",target="a",api="video"';
const GOOD = `weighbridge_probe_runs_total{${RUN},error_type="",blame="none"}`;

/** What the floors, the blame and the counters born at 0 are there for. */
export function lowTrafficTests(): readonly PromtoolTest[] {
  return [
    {
      // A quarter of the runs of the hour and half of those of five minutes: both ratios are far above the limit.
      name: 'one failure of a probe that runs every ten minutes does not page',
      interval: '30s',
      input_series: inputs({
        [GOOD]: '0x20 1x19 2x19 3x19 4x19 5x19',
        [`weighbridge_probe_runs_total{${RUN},error_type="task_failed",blame="upstream"}`]: '0x60 1x60',
      }),
      promql_expr_test: ['32m', '33m', '34m', '35m'].flatMap((at) => [
        silent('WeighbridgeErrorBudgetFastBurn', at),
        silent('WeighbridgeErrorBudgetMediumBurn', at),
      ]),
    },
    {
      name: 'an empty wallet does not burn the budget of the service',
      interval: '30s',
      input_series: inputs({
        [GOOD]: '0+1x20 20x200',
        [`weighbridge_probe_runs_total{${RUN},error_type="insufficient_user_quota",blame="account"}`]:
          '0x20 0+1x200',
      }),
      promql_expr_test: [
        silent('WeighbridgeErrorBudgetFastBurn', '60m'),
        fires('WeighbridgeCreditRefused', '20m', 'a'),
      ],
    },
    {
      // No task has been open since the one that it asked for at the start.
      name: 'a probe that has nothing to ask with is not stale',
      interval: '30s',
      input_series: inputs({
        'weighbridge_probe_last_run_timestamp_seconds{probe="early",target="a"}': '60x400',
        'weighbridge_probe_interval_seconds{probe="early",target="a"}': '600x400',
        'weighbridge_probe_skipped_total{probe="early",target="a",reason="paused"}': '0+1x400',
      }),
      promql_expr_test: [silent('WeighbridgeProbeStale', '1h'), silent('WeighbridgeProbeStale', '3h')],
    },
    {
      // The model list is read well a minute after each failure of the three.
      name: 'three probes of one model that fail are no target that is down',
      interval: '30s',
      input_series: inputs(
        Object.assign(
          { ...lastRun('models', 1, '60+30x100') },
          ...['one', 'two', 'three'].map((name) => lastRun(name, 0, '30+30x100')),
        ),
      ),
      promql_expr_test: [silent('WeighbridgeTargetDown', '10m'), silent('WeighbridgeTargetDown', '40m')],
    },
    {
      name: 'an idle account has no runway, and no alert',
      interval: '30s',
      input_series: inputs({
        'weighbridge_account_used_quota_units{target="a"}': '500x900',
        'weighbridge_account_quota_units{target="a"}': '100000x900',
      }),
      promql_expr_test: [
        { expr: 'target:weighbridge_account_runway_seconds', eval_time: '7h', exp_samples: [] },
        silent('WeighbridgeRunwayShort', '7h'),
      ],
    },
    {
      name: 'the runway is exact',
      interval: '30s',
      input_series: inputs({
        'weighbridge_account_used_quota_units{target="a"}': '0+50x1200',
        'weighbridge_account_quota_units{target="a"}': '100000-50x1200',
      }),
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
      input_series: inputs({
        [refused('a')]: '0+1x200',
        [refused('b')]: '0+1x200',
        'k6_weighbridge_run_active{target="http://gateway.example",instance="one"}': '1x40 _x160',
        'weighbridge_target_info{target="a",base="http://gateway.example"}': '1x200',
        'weighbridge_target_info{target="b",base="http://other.example"}': '1x200',
      }),
      promql_expr_test: [
        fires('WeighbridgeCreditRefused', '20m', 'b'),
        fires('WeighbridgeCreditRefused', '45m', 'b'),
        fires('WeighbridgeCreditRefused', '55m', 'a', 'b'),
      ],
    },
  ];
}

/** A probe whose last run ended at these times; where it is a good one, that was its last success as well. */
function lastRun(name: string, success: 0 | 1, times: string): Readonly<Record<string, string>> {
  const probe = `probe="${name}",target="a"`;
  return {
    [`weighbridge_probe_success{${probe},api="chat",model="m",stream="false"}`]: `${success}x100`,
    [`weighbridge_probe_last_run_timestamp_seconds{${probe}}`]: times,
    ...(success === 1 ? { [`weighbridge_probe_last_success_timestamp_seconds{${probe}}`]: times } : {}),
  };
}

function refused(target: string): string {
  return `weighbridge_probe_runs_total{probe="film",target="${target}",api="video",error_type="insufficient_user_quota",blame="account"}`;
}

function silent(alert: string, eval_time: string): ExprTest {
  return { expr: `ALERTS{alertname="${alert}"}`, eval_time, exp_samples: [] };
}

/** By name and labels. */
function inputs(series: Readonly<Record<string, string>>): PromtoolTest['input_series'] {
  return Object.entries(series).map(([name, values]) => ({ series: name, values }));
}

function fires(alert: string, eval_time: string, ...targets: readonly string[]): ExprTest {
  const firing = `alertname="${alert}",alertstate="firing"`;
  const labels = (target: string): string => `ALERTS{${firing},severity="page",target="${target}"}`;
  const exp_samples = targets.map((target) => ({ labels: labels(target), value: 1 }));
  return { expr: `ALERTS{${firing}}`, eval_time, exp_samples };
}
