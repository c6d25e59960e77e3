import {
  BOOK_CHANGES,
  BOOK_STATES,
  LIST_CREDENTIALS,
  MODEL_ANSWERS,
  MODEL_CHANGES,
  TOKEN_TYPES,
} from './label-values.ts';
import { counter, gauge } from './probe-metric.ts';

const TARGET = { target: 'configuration' } as const;
const MODEL = { ...TARGET, model: 'configuration' } as const;
const VARIANT = { ...MODEL, variant: 'configuration' } as const;

/** D and E. Model list and price book. */
export const BOOK_METRICS = [
  gauge(
    'weighbridge_models_listed',
    'models',
    { ...TARGET, credential: LIST_CREDENTIALS },
    'Models in the last list read with credential=none or key.',
  ),
  gauge('weighbridge_model_listed', '0 or 1', MODEL, '1 if a watched model is in the list of the key.'),
  counter(
    'weighbridge_models_changes_total',
    'changes',
    { ...TARGET, credential: LIST_CREDENTIALS, change: MODEL_CHANGES },
    'Models added or removed between two reads.',
  ),
  gauge(
    'weighbridge_models_probed',
    'models',
    { ...TARGET, state: MODEL_ANSWERS },
    'Listed models with a paid probe, by whether the last run was refused as unavailable (not found, crowded, no channel).',
  ),
  gauge(
    'weighbridge_price_usd_per_token',
    'USD per token',
    { ...MODEL, kind: TOKEN_TYPES },
    'Listed price of one token: input, output, cache_read, cache_write.',
  ),
  gauge(
    'weighbridge_price_usd_per_image',
    'USD per image',
    VARIANT,
    'Listed price of one image; variant is size and quality from the configuration.',
  ),
  gauge(
    'weighbridge_price_usd_per_second',
    'USD per second of video',
    VARIANT,
    'Listed price of one second of video.',
  ),
  gauge('weighbridge_price_usd_per_request', 'USD per request', MODEL, 'Listed flat price of one request.'),
  counter(
    'weighbridge_pricebook_changes_total',
    'changes',
    { ...TARGET, change: BOOK_CHANGES },
    'Differences found: price_up, price_down, model_added, model_removed, version_only, unparsed.',
  ),
  gauge('weighbridge_pricebook_last_fetch_timestamp_seconds', 'unix seconds', TARGET, 'Last good read.'),
  gauge(
    'weighbridge_pricebook_last_change_timestamp_seconds',
    'unix seconds',
    TARGET,
    'Last read of another version or other prices than the read before.',
  ),
  gauge(
    'weighbridge_pricebook_models',
    'models',
    { ...TARGET, state: BOOK_STATES },
    'Models in the price book: priced, unpriced (listed but no price), orphan (priced but not listed).',
  ),
  gauge(
    'weighbridge_pricebook_info',
    '1',
    { ...TARGET, version: 'served' },
    'Version string of the price book now in force; the old series is removed.',
  ),
] as const;
