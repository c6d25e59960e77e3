import { BUDGET_PERIODS } from '../../core/budget-period.ts';
import { FAULT_CLASSES } from '../fault-class.ts';
import { LAG } from './buckets.ts';
import {
  MISMATCH_KINDS,
  PROBE_APIS,
  RECORD_CHANGES,
  SPEND_SOURCES,
  USAGE_WINDOWS,
  VERDICTS,
} from './label-values.ts';
import { counter, gauge, histogram } from './probe-metric.ts';

const TARGET = { target: 'configuration' } as const;
const WINDOW = { ...TARGET, window: USAGE_WINDOWS } as const;
const PERIOD = { ...TARGET, period: BUDGET_PERIODS } as const;

/** F. Usage, account, spend. Usage amounts are gauges: the gateway can restate them. */
export const MONEY_METRICS = [
  gauge(
    'weighbridge_usage_settled_usd',
    'USD',
    WINDOW,
    'Settled amount reported by the gateway for the window.',
  ),
  gauge('weighbridge_usage_pending_usd', 'USD', WINDOW, 'Pending amount reported for the window.'),
  gauge('weighbridge_usage_refunded_usd', 'USD', WINDOW, 'Refunded amount reported for the window.'),
  gauge('weighbridge_usage_records', 'records', WINDOW, 'Records in the window.'),
  gauge('weighbridge_usage_unknown_records', 'records', WINDOW, 'Records the gateway itself calls unknown.'),
  gauge(
    'weighbridge_usage_estimated_records',
    'records',
    WINDOW,
    'Records with usage_estimated among those read of the window.',
  ),
  gauge('weighbridge_usage_read_records', 'records', WINDOW, 'Request records read of the window.'),
  gauge(
    'weighbridge_usage_model_settled_usd',
    'USD',
    { ...TARGET, model: 'configuration' },
    'Settled amount of the current UTC day for a watched model; the rest under model=other.',
  ),
  histogram(
    'weighbridge_usage_settlement_lag_seconds',
    LAG,
    TARGET,
    'End of a probe run to its usage record being settled.',
  ),
  counter(
    'weighbridge_usage_mismatches_total',
    'records',
    { ...TARGET, kind: MISMATCH_KINDS },
    'Probe runs whose record disagrees: missing, duplicate, amount, tokens, model, time, unpriced.',
  ),
  counter(
    'weighbridge_usage_record_changes_total',
    'records',
    { ...TARGET, change: RECORD_CHANGES },
    'Records that changed or vanished after they had settled.',
  ),
  gauge(
    'weighbridge_usage_totals_drift_usd',
    'USD',
    WINDOW,
    'Totals endpoint minus the sum of request records over the same window.',
  ),
  counter(
    'weighbridge_audit_calls_total',
    'calls',
    { ...TARGET, verdict: VERDICTS },
    'Own paid calls that were held against their records, by final verdict.',
  ),
  gauge(
    'weighbridge_audit_findings',
    'findings',
    { ...TARGET, class: FAULT_CLASSES },
    'Final findings of the last audit of own calls, by class.',
  ),
  gauge('weighbridge_audit_calls_open', 'calls', TARGET, 'Own paid calls without a final verdict yet.'),
  gauge(
    'weighbridge_audit_last_run_timestamp_seconds',
    'unix seconds',
    TARGET,
    'Last time that own calls were held against their records.',
  ),
  gauge(
    'weighbridge_account_quota_units',
    'site units',
    TARGET,
    'Remaining credit in internal units; not USD.',
  ),
  gauge(
    'weighbridge_account_used_quota_units',
    'site units',
    TARGET,
    'Historical consumption in the same units.',
  ),
  gauge('weighbridge_account_requests', 'requests', TARGET, 'Request count reported by the account read.'),
  counter(
    'weighbridge_probe_spend_usd_total',
    'USD',
    {
      probe: 'configuration',
      target: 'configuration',
      api: PROBE_APIS,
      model: 'configuration',
      source: SPEND_SOURCES,
    },
    'Cost of probes, three views of the same money: reserved (worst case before sending), priced (price book x tokens), recorded (usage record).',
  ),
  gauge(
    'weighbridge_probe_budget_limit_usd',
    'USD',
    PERIOD,
    'Configured cap for period hour, day or month; none where a period has no cap.',
  ),
  gauge(
    'weighbridge_probe_budget_spent_usd',
    'USD',
    PERIOD,
    'Spend counted against the cap in the current period, open reservations included; none where it is not known.',
  ),
] as const;
