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
    description: 'At the rate of the last six hours it lasts {{ $value | humanizeDuration }}.',
    meaning:
      'The credit will be used up in less than three days. The figure divides site units by site units, so it needs no exchange rate.',
    blame: ['account'],
    first: ['Top the account up.', 'If you do not expect this spend, see WeighbridgeSpendAnomaly.'],
  },
  {
    name: 'WeighbridgeRunwayCritical',
    severity: 'page',
    for: '10m',
    held: true,
    expr: (time) => `${RUNWAY} < ${time.seconds('6h')}`,
    summary: 'The credit at {{ $labels.target }} lasts less than six hours',
    description: 'At the rate of the last six hours it lasts {{ $value | humanizeDuration }}.',
    meaning: 'Soon every paid call will be refused.',
    blame: ['account'],
    first: [
      'Top the account up now.',
      'Stop unneeded spend. Look at the top models by spend; the probes cannot exceed their daily budget.',
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
      'The account is empty. The alert reads the error code and not the HTTP status, which may be 402 or 403.',
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
    meaning: 'Spend is far above the usual level, and above 5 USD an hour.',
    blame: ['account'],
    first: [
      'Open “Spend and credit”. The top models of the day show where the money goes.',
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
    description: '{{ $value | humanize }} USD of the last day are pending.',
    meaning:
      'The pending amount is more than a fifth of the settled one. Tasks do not end, or the settling job has stopped.',
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
    summary: '{{ $labels.target }} has more records of unknown outcome than an hour ago',
    description: '{{ $value | humanize }} more records of unknown outcome.',
    meaning: 'The gateway reports that it does not know whether these calls succeeded.',
    blame: ['gateway'],
    first: [
      'Run `weighbridge reconcile`. It tells which of these calls were yours and what they should have cost.',
    ],
  },
  {
    name: 'WeighbridgeChargeMismatch',
    expr: (time) =>
      `sum by (target, kind) (increase(weighbridge_usage_mismatches_total[${time.span('1h')}])) > 0`,
    summary: 'Charges at {{ $labels.target }} are wrong: {{ $labels.kind }}',
    description: '{{ $value | humanize }} probe calls of the last hour disagree with their records.',
    meaning:
      'The daemon compared its own calls with the usage records. A record is missing, is there twice, or is wrong in amount, tokens, model or time.',
    blame: ['gateway'],
    first: [
      'Open the page `/findings` of the daemon. Then run `weighbridge reconcile` over its ledger: it gives each call, the expected charge and the evidence.',
    ],
  },
  {
    name: 'WeighbridgeSettlementSlow',
    for: '30m',
    held: true,
    partOfOutage: true,
    expr: (time) =>
      `histogram_quantile(0.95, sum by (le, target) (rate(weighbridge_usage_settlement_lag_seconds_bucket[${time.span('6h')}]))) > ${time.latency('15m')}`,
    summary: 'Calls at {{ $labels.target }} settle late',
    description: 'One call in twenty waits {{ $value | humanizeDuration }} or longer for its record.',
    meaning: 'Totals and credit are behind what was really spent.',
    blame: ['gateway'],
    first: [
      'See the settlement lag on “Spend and credit”.',
      'If the lag keeps growing, expect WeighbridgePendingPilesUp.',
    ],
  },
];

/** What keeps probes from running. */
export const BUDGET_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeProbeBudgetNearlySpent',
    expr: () =>
      'weighbridge_probe_budget_spent_usd{period=~"day|month"} / weighbridge_probe_budget_limit_usd{period=~"day|month"} > 0.8',
    summary: 'The probes of {{ $labels.target }} have spent most of the budget of the {{ $labels.period }}',
    description:
      '{{ $value | humanizePercentage }} of the cap of the {{ $labels.period }} is spent or reserved.',
    meaning: 'This is an early notice. At the cap, paid probes stop until the day or the month (UTC) ends.',
    blame: ['probe'],
    first: [
      '`weighbridge probe --dry-run` prints what the plan costs an hour, a day and a month.',
      'Lengthen intervals or raise the cap.',
    ],
  },
  {
    name: 'WeighbridgeProbeBudgetExhausted',
    expr: (time) =>
      `sum by (target, reason) (increase(weighbridge_probe_skipped_total{reason=~"budget|no_price"}[${time.span('15m')}])) > 0`,
    summary: 'Paid probes of {{ $labels.target }} do not run: {{ $labels.reason }}',
    description: '{{ $value | humanize }} runs were not started in 15 minutes.',
    meaning:
      '`budget`: the cap of the hour, day or month is reached, and paid probes are paused until it resets. `no_price`: no price list has a price for the model. Free probes go on.',
    blame: ['probe'],
    first: [
      'budget: see which cap it is. “Spend and credit” shows spend against limit by period.',
      'no_price: give the model a price in the price list, or set `probe.assume_usd_per_run`.',
      'Before you raise a cap, check whether prices rose (WeighbridgePriceJump).',
    ],
  },
  {
    name: 'WeighbridgeProbesSkipped',
    for: '5m',
    held: true,
    partOfOutage: true,
    expr: (time) =>
      `sum by (probe, target, reason) (increase(weighbridge_probe_skipped_total{reason=~"overlap|concurrency"}[${time.span('1h')}])) >= 3`,
    summary: 'Runs of probe {{ $labels.probe }} of {{ $labels.target }} are skipped: {{ $labels.reason }}',
    description: '{{ $value | humanize }} runs in the last hour.',
    meaning:
      '`overlap`: a run takes longer than the interval. `concurrency`: too many runs of the target are under way.',
    blame: ['probe', 'upstream'],
    first: [
      'overlap: lengthen the interval, or see why runs became slow.',
      'concurrency: raise the limit of the target, or lengthen intervals.',
    ],
  },
];
