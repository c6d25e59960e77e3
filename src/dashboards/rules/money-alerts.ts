import type { AlertRule } from './alert-rule.ts';
import { RUNWAY } from './recording-rules.ts';

/** Credit, spend, and whether what is charged is right. */
export const MONEY_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeRunwayShort',
    for: '30m',
    held: true,
    expr: (time) => `${RUNWAY} < ${time.seconds('3d')}`,
    summary: 'The credit at {{ $labels.target }} lasts less than three days',
    description: 'At the pace of the last six hours {{ $value | humanizeDuration }} are left.',
    meaning: 'A ratio of site units by site units: it needs no rate of exchange, and there is no fixed one.',
    blame: ['account'],
    first: ['Top the account up.', 'Where the pace is not meant, see WeighbridgeSpendAnomaly.'],
  },
  {
    name: 'WeighbridgeRunwayCritical',
    severity: 'page',
    for: '10m',
    held: true,
    expr: (time) => `${RUNWAY} < ${time.seconds('6h')}`,
    summary: 'The credit at {{ $labels.target }} lasts less than six hours',
    description: 'At the pace of the last six hours {{ $value | humanizeDuration }} are left.',
    meaning: 'Soon every paid call will be refused.',
    blame: ['account'],
    first: [
      'Top the account up now.',
      'Stop what spends without need; the daily budget of the probes is not it, look at the top models by spend.',
    ],
  },
  {
    name: 'WeighbridgeCreditRefused',
    severity: 'page',
    held: true,
    expr: (time) =>
      `sum by (target) (increase(weighbridge_probe_runs_total{error_type="insufficient_user_quota"}[${time.span('10m')}])) > 0`,
    summary: '{{ $labels.target }} refuses calls for lack of credit',
    description: '{{ $value | humanize }} runs in ten minutes were refused.',
    meaning:
      'The account is empty. The code of the error is looked at, not its HTTP status, which may be 402 or 403.',
    blame: ['account'],
    first: [
      'Top the account up.',
      'If the account shows credit, the refusal is wrong: report it with the request id.',
    ],
  },
  {
    name: 'WeighbridgeSpendAnomaly',
    severity: 'page',
    for: '15m',
    held: true,
    expr: (time) => `weighbridge_usage_settled_usd{window="1h"} > 5
and weighbridge_usage_settled_usd{window="1h"} > 4 * avg_over_time(weighbridge_usage_settled_usd{window="1h"}[${time.span('7d')}] offset ${time.span('1h')})`,
    summary: 'Spend at {{ $labels.target }} is four times that of the week',
    description: '{{ $value | humanize }} USD were settled within the last hour.',
    meaning: 'Somebody or something spends far more than usual, and more than 5 USD an hour.',
    blame: ['account'],
    first: [
      'Open “Spend and credit”: the top models of the day say where it goes.',
      'If nobody owns it, revoke the key.',
    ],
  },
  {
    name: 'WeighbridgePendingPilesUp',
    for: '1h',
    held: true,
    expr: () =>
      'weighbridge_usage_pending_usd{window="1d"} > 0.2 * (weighbridge_usage_settled_usd{window="1d"} > 1)',
    summary: 'Reservations at {{ $labels.target }} do not settle',
    description: '{{ $value | humanize }} USD of the day are pending.',
    meaning:
      'More than a fifth of what was settled today is still reserved: tasks that never end, or a settling job that stands still.',
    blame: ['gateway'],
    first: [
      'See WeighbridgeTaskStuck and WeighbridgeSettlementSlow.',
      '`weighbridge reconcile` over the day names the calls.',
    ],
  },
  {
    name: 'WeighbridgeUnknownRecords',
    held: true,
    expr: (time) => `delta(weighbridge_usage_unknown_records{window="30d"}[${time.span('1h')}]) > 0`,
    summary: '{{ $labels.target }} does not know what became of more calls than an hour ago',
    description: '{{ $value | humanize }} more records of unknown outcome.',
    meaning: 'The gateway itself says that it does not know whether these calls succeeded.',
    blame: ['gateway'],
    first: ['`weighbridge reconcile` tells which of them were ours and what they should have cost.'],
  },
  {
    name: 'WeighbridgeChargeMismatch',
    expr: (time) =>
      `sum by (target, kind) (increase(weighbridge_usage_mismatches_total[${time.span('1h')}])) > 0`,
    summary: 'Charges at {{ $labels.target }} are not what they should be: {{ $labels.kind }}',
    description: '{{ $value | humanize }} probe calls of the last hour disagree with their records.',
    meaning:
      'The probes’ own calls were held against the usage records, and something is missing, double, or wrong in amount, tokens, model or time.',
    blame: ['gateway'],
    first: [
      'Run `weighbridge reconcile` over the ledger of the daemon: it gives each call, the expected charge and the evidence.',
    ],
  },
  {
    name: 'WeighbridgeSettlementSlow',
    for: '30m',
    held: true,
    expr: (time) =>
      `histogram_quantile(0.95, sum by (le, target) (rate(weighbridge_usage_settlement_lag_seconds_bucket[${time.span('6h')}]))) > ${time.latency('15m')}`,
    summary: 'Calls at {{ $labels.target }} settle late',
    description: 'One in twenty waits {{ $value | humanizeDuration }} or longer for its record.',
    meaning: 'Totals and credit lag behind what was really spent.',
    blame: ['gateway'],
    first: [
      'See the lag over time on “Spend and credit”.',
      'A queue that grows ends in WeighbridgePendingPilesUp.',
    ],
  },
];

/** What keeps probes from running. */
export const BUDGET_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeProbeBudgetNearlySpent',
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
