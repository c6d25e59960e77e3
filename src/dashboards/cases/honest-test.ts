import type { PromtoolTest } from './promtool-test.ts';
import { valuesOf } from './rule-case.ts';
import { RULE_CASES } from './rule-cases.ts';

const STEP = '1m';
const HOURS = 10;

/**
 * Every series of every case as it is while nothing is wrong, all at once and for ten hours: nothing but the watchdog may
 * speak, at any full hour.
 */
export function honestTest(): PromtoolTest {
  const series = new Map<string, string>();
  for (const { series: all } of RULE_CASES) {
    for (const { series: name, course } of all) {
      if (!series.has(name)) series.set(name, valuesOf(course, [HOURS * 60 + 1, 0, 0], STEP));
    }
  }
  return {
    name: 'a sound gateway: only the watchdog speaks',
    interval: STEP,
    input_series: [...series].map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'ALERTS{alertname="WeighbridgeWatchdog"}',
        eval_time: `${HOURS}h`,
        exp_samples: [
          { labels: 'ALERTS{alertname="WeighbridgeWatchdog",alertstate="firing",severity="none"}', value: 1 },
        ],
      },
      ...Array.from({ length: HOURS }, (_, hour) => ({
        expr: 'ALERTS{alertname!="WeighbridgeWatchdog"}',
        eval_time: `${hour + 1}h`,
        exp_samples: [],
      })),
    ],
  };
}
