import type { RecordingRule } from './alert-rule.ts';

/** The windows of the SRE workbook's four burn rates, long and short. */
const BURN_WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'] as const;
export type BurnWindow = (typeof BURN_WINDOWS)[number];

/** An empty wallet and a fault of our own are no failures of the service. */
export const SERVICE_FAULTS = 'blame=~"gateway|upstream|network"';
export const JUDGED_RUNS = 'blame=~"none|gateway|upstream|network"';

/** The window stands in the name as it is at scale 1, so that names are the same at every scale. */
export function failureRatio(window: BurnWindow): string {
  return `target_api:weighbridge_probe_failures:ratio_rate${window}`;
}

export const RUNWAY = 'target:weighbridge_account_runway_seconds';

export const RECORDING_RULES: readonly RecordingRule[] = [
  ...BURN_WINDOWS.map(burnRate),
  {
    record: 'target:weighbridge_account_burn_units:deriv6h',
    expr: (time) => `deriv(weighbridge_account_used_quota_units[${time.span('6h')}])`,
    meaning: 'Site units used a second, over six hours.',
  },
  {
    record: RUNWAY,
    expr: (time) =>
      `weighbridge_account_quota_units / (deriv(weighbridge_account_used_quota_units[${time.span('6h')}]) > 0)`,
    meaning:
      'Seconds until the credit is used up at the pace of the last six hours; absent while nothing is used.',
  },
];

/** Where nothing failed yet there is no series of failures: the share is 0 then, not absent. */
function burnRate(window: BurnWindow): RecordingRule {
  return {
    record: failureRatio(window),
    expr: (time) => {
      const rate = (matchers: string): string =>
        `sum by (target, api) (rate(weighbridge_probe_runs_total{${matchers}}[${time.span(window)}]))`;
      return `(
  ${rate(SERVICE_FAULTS)}
  or
  0 * ${rate('blame="none"')}
)
/
${rate(JUDGED_RUNS)}`;
    },
    meaning: `Share of probe runs over ${window} that the service failed, by target and api.`,
  };
}
