import type { PromtoolTest } from './promtool-test.ts';

/** Minutes of the sound phase, of the outage and of what follows. */
const [SOUND, OUTAGE, AFTER] = [180, 60, 40];
const PROBES = ['one', 'two', 'three'];

/** Three probes of a minute that all time out for an hour, in a daemon whose alerts by rate would all speak. */
export function outageTest(): PromtoolTest {
  const series = PROBES.flatMap((name) => {
    const probe = `probe="${name}",target="a"`;
    const run = `weighbridge_probe_runs_total{${probe},api="chat",model="m"`;
    const stamps = `0+60x${SOUND - 1}`;
    const success = SOUND * 60 - 60;
    const resumed = `${(SOUND + OUTAGE) * 60}+60x${AFTER - 1}`;
    return [
      {
        series: `${run},error_type="",blame="none"}`,
        values: `0+1x${SOUND - 1} ${SOUND - 1}x${OUTAGE} ${SOUND}+1x${AFTER - 1}`,
      },
      {
        series: `${run},error_type="timeout_total",blame="gateway"}`,
        values: `0x${SOUND - 1} 1+1x${OUTAGE - 1} ${OUTAGE}x${AFTER}`,
      },
      {
        series: `weighbridge_probe_skipped_total{${probe},reason="overlap"}`,
        values: `0x${SOUND - 1} 1+1x${OUTAGE - 1} ${OUTAGE}x${AFTER}`,
      },
      {
        series: `weighbridge_probe_success{${probe},api="chat",model="m",stream="false"}`,
        values: `1x${SOUND - 1} 0x${OUTAGE} 1x${AFTER}`,
      },
      {
        series: `weighbridge_probe_last_run_timestamp_seconds{${probe}}`,
        values: `0+60x${SOUND + OUTAGE + AFTER}`,
      },
      {
        series: `weighbridge_probe_last_success_timestamp_seconds{${probe}}`,
        values: `${stamps} ${success}x${OUTAGE} ${resumed}`,
      },
    ];
  });
  const speaks = (minutes: number, labels: readonly string[]) => ({
    expr: 'ALERTS{alertname!~"WeighbridgeWatchdog|WeighbridgeDaemonAbsent",alertstate="firing"}',
    eval_time: `${minutes}m`,
    exp_samples: labels.map((given) => ({ labels: given, value: 1 })),
  });
  const down = 'ALERTS{alertname="WeighbridgeTargetDown",alertstate="firing",severity="page",target="a"}';
  return {
    name: 'an outage is one alert, and none is left over when it ends',
    interval: '1m',
    input_series: series,
    promql_expr_test: [
      speaks(SOUND - 1, []),
      ...[5, 10, 30, 59].map((minutes) => speaks(SOUND + minutes, [down])),
      ...[5, 15, 25].map((minutes) => speaks(SOUND + OUTAGE + minutes, [])),
    ],
  };
}
