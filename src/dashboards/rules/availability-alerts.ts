import type { TimeScale } from '../time-scale.ts';
import type { AlertRule } from './alert-rule.ts';
import { TARGET_FAILS } from './outage-hold.ts';
import { type BurnWindow, failureRatio, SERVICE_FAULTS } from './recording-rules.ts';

/** 99 % of runs succeed: 1 % is the budget that burns. */
const BUDGET = 0.01;

export const AVAILABILITY_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeProbeStale',
    for: '2m',
    partOfOutage: true,
    expr: (time) =>
      `time() - weighbridge_probe_last_run_timestamp_seconds > 3 * weighbridge_probe_interval_seconds + ${time.seconds('60s')}
unless on (target, probe) increase(weighbridge_probe_skipped_total{reason="paused"}[${time.span('1d')}]) > 0`,
    summary: 'Probe {{ $labels.probe }} of {{ $labels.target }} has not run for three intervals',
    description: 'Its last run ended {{ $value | humanizeDuration }} ago.',
    meaning:
      'A run hangs, the schedule has stopped, or runs are skipped (cap, Retry-After, concurrency). Until it runs again, nothing is known about the service. A negative probe that needs an open task and has none does not fire this alert.',
    blame: ['probe'],
    first: [
      'See why runs were skipped: the panel “Runs not started” of the dashboard of the daemon.',
      'Where the reason is the budget, see WeighbridgeProbeBudgetExhausted.',
    ],
  },
  {
    name: 'WeighbridgeTargetDown',
    severity: 'page',
    for: '2m',
    held: true,
    expr: () => TARGET_FAILS,
    summary: 'Every request to {{ $labels.target }} fails',
    description: '{{ $value }} probes have failed, and none has succeeded since.',
    meaning:
      'The target is down, frozen, or cannot be reached. The alerts that an outage causes are silent for this target while it lasts and for half an hour beyond.',
    blame: ['gateway', 'network', 'account'],
    first: [
      'Open the status page of the daemon. The error type of each probe tells whether the target refuses, times out, or answers with errors.',
      'Send one request by hand from the machine of the daemon, and one from another network.',
      'If only the daemon cannot reach it, look at DNS, proxy and firewall between the two.',
    ],
  },
  {
    name: 'WeighbridgeProbeDown',
    held: true,
    partOfOutage: true,
    expr: (time) => `weighbridge_probe_success == 0
and on (probe, target) (changes(weighbridge_probe_last_run_timestamp_seconds[${time.span('30m')}]) >= 3)
and on (probe, target) (max_over_time(weighbridge_probe_success[${time.span('30m')}]) == 0)`,
    summary: 'Every run of probe {{ $labels.probe }} of {{ $labels.target }} fails',
    description: 'No run of the last 30 minutes succeeded, and there were three or more.',
    meaning:
      'One probe fails every time. The alert counts runs and not time, so a probe every ten minutes and one every minute behave alike.',
    blame: ['gateway', 'upstream', 'network', 'account'],
    first: [
      'Open the status page of the daemon. It shows the error type of the last failure and who caused it.',
      'Compare it with other models and formats. If one model fails, suspect its channel. If one format fails, suspect the gateway. If all fail, suspect the gateway or the network.',
    ],
  },
  burnAlert({
    name: 'WeighbridgeErrorBudgetFastBurn',
    severity: 'page',
    for: '2m',
    pairs: [{ short: '5m', long: '1h', factor: 14.4 }],
    floor: { failures: 3, window: '1h' },
    meaning:
      'At this rate the error budget of 30 days is used up in two days. At least three runs failed within the hour.',
  }),
  burnAlert({
    name: 'WeighbridgeErrorBudgetMediumBurn',
    severity: 'page',
    for: '5m',
    pairs: [{ short: '30m', long: '6h', factor: 6 }],
    floor: { failures: 5, window: '6h' },
    meaning:
      'At this rate the error budget of 30 days is used up in five days. At least five runs failed within six hours.',
  }),
  burnAlert({
    name: 'WeighbridgeErrorBudgetSlowBurn',
    severity: 'ticket',
    for: '15m',
    pairs: [
      { short: '2h', long: '1d', factor: 3 },
      { short: '6h', long: '3d', factor: 1 },
    ],
    floor: null,
    meaning: 'A low but steady rate of failures uses up the error budget of 30 days too early.',
  }),
];

interface Burn {
  readonly name: string;
  readonly severity: 'page' | 'ticket';
  readonly for: string;
  readonly pairs: readonly {
    readonly short: BurnWindow;
    readonly long: BurnWindow;
    readonly factor: number;
  }[];
  /** Failures below which a ratio says nothing; null where the windows are long enough. */
  readonly floor: { readonly failures: number; readonly window: string } | null;
  readonly meaning: string;
}

function burnAlert({ name, severity, for: held, pairs, floor, meaning }: Burn): AlertRule {
  return {
    name,
    severity,
    for: held,
    held: true,
    partOfOutage: true,
    expr: (time) => `${pairs.map(burning).join('\nor\n')}${floorOf(floor, time)}`,
    summary: '{{ $labels.api }} at {{ $labels.target }} uses up its error budget too fast',
    description: `{{ $value | humanizePercentage }} of runs failed over ${pairs.map(({ short }) => short).join(' or ')}; the objective allows 1 %.`,
    meaning,
    blame: ['gateway', 'upstream', 'network'],
    first: [
      'Open the dashboard “Errors and blame” for this target and API. It splits the failures by error type and blame.',
      'blame `upstream`: tell the owner of the channel, and check whether other channels serve the model. blame `network`: look at the phases of the last runs. blame `gateway`: look at its last deployment.',
      'This alert does not count refusals for lack of credit. See WeighbridgeCreditRefused.',
    ],
  };
}

function burning({ short, long, factor }: Burn['pairs'][number]): string {
  const limit = Number((factor * BUDGET).toFixed(4));
  return `(${failureRatio(short)} > ${limit} and ${failureRatio(long)} > ${limit})`;
}

function floorOf(floor: Burn['floor'], time: TimeScale): string {
  if (floor === null) return '';
  const failed = `increase(weighbridge_probe_runs_total{${SERVICE_FAULTS}}[${time.span(floor.window)}])`;
  return `\nand on (target, api) (sum by (target, api) (${failed}) >= ${floor.failures})`;
}
