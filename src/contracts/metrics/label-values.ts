import { TASK_STATUSES } from '../interface.ts';
import { BLAMES, ERROR_TYPES, type ErrorType } from '../outcome.ts';
import { PROBE_APIS } from '../probe-plan.ts';

/** What stands in place of a label value that is on no list, or is beyond the series limit. */
export const OTHER = 'other';

/** Empty on success: Prometheus takes an empty label for an absent one, as `error.type` of OTel is. */
export const ERROR_TYPE_VALUES = [
  '',
  ...ERROR_TYPES.filter((type): type is Exclude<ErrorType, 'none'> => type !== 'none'),
] as const;
export type ErrorTypeValue = (typeof ERROR_TYPE_VALUES)[number];

export function errorTypeValue(type: ErrorType): ErrorTypeValue {
  return type === 'none' ? '' : type;
}

export const YES_NO = ['true', 'false'] as const;
export type YesNo = (typeof YES_NO)[number];

export function yesNo(value: boolean): YesNo {
  return value ? 'true' : 'false';
}

export const PHASES = ['resolve', 'connect', 'tls', 'send', 'wait', 'transfer'] as const;
export const SKIP_REASONS = [
  'overlap',
  'concurrency',
  'budget',
  'paused',
  'retry_after',
  'no_price',
] as const;
export const TOKEN_TYPES = ['input', 'output', 'cache_read', 'cache_write'] as const;
export const TOKEN_SOURCES = ['reported', 'estimated'] as const;
export const TASK_STAGES = ['submit', 'queued', 'in_progress', 'download', 'total'] as const;
/** `none` before the first answer; a status that the interface does not name is `other`. */
export const TASK_STATES = ['none', ...TASK_STATUSES, OTHER] as const;
export const TASK_FINALS = ['completed', 'failed', 'timeout', 'lost', 'rejected'] as const;
export const LIST_CREDENTIALS = ['none', 'key'] as const;
export const CREDENTIALS = ['key', 'access_token', 'user_id', 'headers'] as const;
export const MODEL_CHANGES = ['added', 'removed'] as const;
export const MODEL_ANSWERS = ['available', 'unavailable'] as const;
export const BOOK_CHANGES = [
  'price_up',
  'price_down',
  'model_added',
  'model_removed',
  'version_only',
  'unparsed',
] as const;
export const BOOK_STATES = ['priced', 'unpriced', 'orphan'] as const;
export const USAGE_WINDOWS = ['1h', '1d', '30d'] as const;
export const MISMATCH_KINDS = [
  'missing',
  'duplicate',
  'amount',
  'tokens',
  'model',
  'time',
  'unpriced',
] as const;
export const RECORD_CHANGES = ['changed', 'vanished'] as const;
export const SPEND_SOURCES = ['reserved', 'assumed', 'priced', 'recorded'] as const;
export const CACHE_HITS = ['came', 'missed'] as const;
export const CACHE_BOUNDS = ['least', 'most'] as const;
export const VERDICTS = ['to_the_digit', 'within_bounds', 'finding', 'not_checkable'] as const;
export const ARCHIVED_DOCUMENTS = ['pricebook', 'models', 'records', 'totals', 'account'] as const;

/** Rules of the interface description that an answer can break beside failing its probe. */
export const CONTRACT_RULES = [
  'error_shape',
  'error_request_id',
  'content_type',
  'refusal_status',
  'refusal_code',
  'early_result_status',
  'response_shape',
  'list_shape',
  'book_shape',
  'totals_shape',
  'records_shape',
  'account_shape',
  'task_shape',
] as const;

export { BLAMES, PROBE_APIS };
