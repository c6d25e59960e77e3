import type { AlertRule } from './alert-rule.ts';

/** What keeps probes from running. */
export const BUDGET_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeProbeBudgetNearlySpent',
    severity: 'ticket',
    for: null,
    held: false,
    expr: () =>
      'weighbridge_probe_budget_spent_usd{period=~"day|month"} / weighbridge_probe_budget_limit_usd{period=~"day|month"} > 0.8',
    summary: 'The probes of {{ $labels.target }} have spent most of their {{ $labels.period }}',
    description:
      '{{ $value | humanizePercentage }} of the cap of the {{ $labels.period }} is spent or reserved.',
    meaning: 'Early notice: at the cap paid probes stop until the day or the month (UTC) is over.',
    blame: ['probe'],
    first: [
      '`weighbridge probe --dry-run` prints what the plan costs an hour, a day and a month.',
      'Lengthen intervals or raise the cap.',
    ],
  },
  {
    name: 'WeighbridgeProbeBudgetExhausted',
    severity: 'ticket',
    for: null,
    held: false,
    expr: (time) =>
      `sum by (target) (increase(weighbridge_probe_skipped_total{reason="budget"}[${time.span('15m')}])) > 0`,
    summary: 'Paid probes of {{ $labels.target }} are withheld by their cap',
    description: '{{ $value | humanize }} runs were not started in 15 minutes.',
    meaning:
      'The cap of the hour, of the day or of the month is reached: of paid calls nothing is known until it ends. Free probes go on.',
    blame: ['probe'],
    first: [
      'See which cap it is: spent against limit by period on “Spend and credit”.',
      'See whether prices rose (WeighbridgePriceJump) before you raise it.',
    ],
  },
  {
    name: 'WeighbridgeProbesSkipped',
    severity: 'ticket',
    for: null,
    held: true,
    expr: (time) =>
      `sum by (probe, target, reason) (increase(weighbridge_probe_skipped_total{reason=~"overlap|concurrency"}[${time.span('1h')}])) >= 3`,
    summary: 'Runs of probe {{ $labels.probe }} of {{ $labels.target }} are skipped: {{ $labels.reason }}',
    description: '{{ $value | humanize }} runs in the last hour.',
    meaning:
      '`overlap`: a run takes longer than the interval. `concurrency`: too many runs of the target at a time.',
    blame: ['probe', 'upstream'],
    first: [
      'overlap: lengthen the interval, or see why runs became slow.',
      'concurrency: raise the limit of the target, or lengthen intervals.',
    ],
  },
];
