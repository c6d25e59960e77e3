import { BUDGET_PERIODS } from '../../core/budget-period.ts';
import { FAULT_CLASSES } from '../fault-class.ts';
import { LAG } from './buckets.ts';
import {
  BOOK_CHANGES,
  BOOK_STATES,
  CACHE_BOUNDS,
  CACHE_HITS,
  LIST_CREDENTIALS,
  MISMATCH_KINDS,
  MODEL_ANSWERS,
  MODEL_CHANGES,
  PROBE_APIS,
  RECORD_CHANGES,
  SPEND_SOURCES,
  TOKEN_TYPES,
  USAGE_WINDOWS,
  VERDICTS,
} from './label-values.ts';
import { counter, gauge, histogram } from './probe-metric.ts';

const TARGET = { target: 'configuration' } as const;
const WINDOW = { ...TARGET, window: USAGE_WINDOWS } as const;
const PERIOD = { ...TARGET, period: BUDGET_PERIODS } as const;

/** F. Usage, account, spend. Usage amounts are gauges: the gateway can restate them. */
export const MONEY_METRICS = [
  gauge('usage_settled_usd', 'USD', WINDOW, 'Settled amount reported by the gateway for the window.'),
  gauge('usage_pending_usd', 'USD', WINDOW, 'Pending amount reported for the window.'),
  gauge('usage_refunded_usd', 'USD', WINDOW, 'Refunded amount reported for the window.'),
  gauge('usage_records', 'records', WINDOW, 'Records in the window.'),
  gauge('usage_unknown_records', 'records', WINDOW, 'Records the gateway itself calls unknown.'),
  gauge(
    'usage_estimated_records',
    'records',
    WINDOW,
    'Records with usage_estimated among those read of the window.',
  ),
  gauge('usage_read_records', 'records', WINDOW, 'Request records read of the window.'),
  gauge(
    'usage_model_settled_usd',
    'USD',
    { ...TARGET, model: 'configuration' },
    'Settled amount of the current UTC day for a watched model; the rest under model=other.',
  ),
  histogram(
    'usage_settlement_lag_seconds',
    LAG,
    TARGET,
    'End of a probe run to its usage record being settled.',
  ),
  counter(
    'usage_mismatches_total',
    'records',
    { ...TARGET, kind: MISMATCH_KINDS },
    'Probe runs whose record disagrees: missing, duplicate, amount, tokens, model, time, unpriced.',
  ),
  counter(
    'usage_record_changes_total',
    'records',
    { ...TARGET, change: RECORD_CHANGES },
    'Records that changed or vanished after they had settled.',
  ),
  gauge(
    'usage_totals_drift_usd',
    'USD',
    WINDOW,
    'Totals endpoint minus the sum of request records over the same window.',
  ),
  counter(
    'audit_calls_total',
    'calls',
    { ...TARGET, verdict: VERDICTS },
    'Own paid calls that were compared with their records, by final verdict.',
  ),
  gauge(
    'audit_findings',
    'findings',
    { ...TARGET, class: FAULT_CLASSES },
    'Final findings of the last audit of own calls, by class.',
  ),
  gauge('audit_calls_open', 'calls', TARGET, 'Own paid calls without a final verdict yet.'),
  gauge(
    'audit_last_run_timestamp_seconds',
    'unix seconds',
    TARGET,
    'Last time that own calls were compared with their records.',
  ),
  gauge(
    'cache_hits',
    'calls',
    { ...TARGET, state: CACHE_HITS },
    'Own calls of the last audit that the prompt cache owed a hit, by whether it came.',
  ),
  gauge(
    'cache_lost_usd',
    'USD',
    { ...TARGET, kind: CACHE_BOUNDS },
    'What hits that were owed to own calls of the last audit and did not come would have saved: at least, at most.',
  ),
  gauge(
    'cache_saved_usd',
    'USD',
    TARGET,
    'What cache hits took off the charges of own calls of the last audit.',
  ),
  gauge('account_quota_units', 'site units', TARGET, 'Remaining credit in internal units; not USD.'),
  gauge('account_used_quota_units', 'site units', TARGET, 'Historical consumption in the same units.'),
  gauge('account_requests', 'requests', TARGET, 'Request count reported by the account read.'),
  counter(
    'probe_spend_usd_total',
    'USD',
    {
      probe: 'configuration',
      target: 'configuration',
      api: PROBE_APIS,
      model: 'configuration',
      source: SPEND_SOURCES,
    },
    'Cost of probes. Before a call: reserved (worst case by the price list) or assumed (probe.assume_usd_per_run, where no price is known). After it: priced (price list x units) and recorded (usage record).',
  ),
  gauge(
    'probe_price_assumed',
    '0 or 1',
    { probe: 'configuration', target: 'configuration' },
    '1 if the last paid call was reserved by an assumed price, 0 if by the price list.',
  ),
  gauge(
    'probe_budget_limit_usd',
    'USD',
    PERIOD,
    'Configured cap for period hour, day or month; none where a period has no cap.',
  ),
  gauge(
    'probe_budget_spent_usd',
    'USD',
    PERIOD,
    'Spend counted against the cap in the current period, open reservations included; none where it is not known.',
  ),
] as const;

const MODEL = { ...TARGET, model: 'configuration' } as const;
const VARIANT = { ...MODEL, variant: 'configuration' } as const;

/** D and E. Model list and price book. */
export const BOOK_METRICS = [
  gauge(
    'models_listed',
    'models',
    { ...TARGET, credential: LIST_CREDENTIALS },
    'Models in the last list read with credential=none or key.',
  ),
  gauge('model_listed', '0 or 1', MODEL, '1 if a watched model is in the list of the key.'),
  counter(
    'models_changes_total',
    'changes',
    { ...TARGET, credential: LIST_CREDENTIALS, change: MODEL_CHANGES },
    'Models added or removed between two reads.',
  ),
  gauge(
    'models_probed',
    'models',
    { ...TARGET, state: MODEL_ANSWERS },
    'Listed models with a paid probe, by whether the last run was refused as unavailable (not found, crowded, no channel).',
  ),
  gauge(
    'price_usd_per_token',
    'USD per token',
    { ...MODEL, kind: TOKEN_TYPES },
    'Listed price of one token: input, output, cache_read, cache_write.',
  ),
  gauge(
    'price_usd_per_image',
    'USD per image',
    VARIANT,
    'Listed price of one image; variant is size and quality from the configuration.',
  ),
  gauge('price_usd_per_second', 'USD per second of video', VARIANT, 'Listed price of one second of video.'),
  gauge('price_usd_per_request', 'USD per request', MODEL, 'Listed flat price of one request.'),
  counter(
    'pricebook_changes_total',
    'changes',
    { ...TARGET, change: BOOK_CHANGES },
    'Differences found: price_up, price_down, model_added, model_removed, version_only, unparsed.',
  ),
  gauge('pricebook_last_fetch_timestamp_seconds', 'unix seconds', TARGET, 'Last good read.'),
  gauge(
    'pricebook_last_change_timestamp_seconds',
    'unix seconds',
    TARGET,
    'Last read of another version or other prices than the read before.',
  ),
  gauge(
    'pricebook_models',
    'models',
    { ...TARGET, state: BOOK_STATES },
    'Models in the price book: priced, unpriced (listed but no price), orphan (priced but not listed).',
  ),
  gauge(
    'pricebook_info',
    '1',
    { ...TARGET, version: 'served' },
    'Version string of the price book now in force; the old series is removed.',
  ),
] as const;
