import { recordKeys } from '../core/typed-record.ts';

export const BLAMES = ['none', 'gateway', 'upstream', 'network', 'account', 'probe'] as const;
export type Blame = (typeof BLAMES)[number];

/** Who is to blame for an error type (the catalogue's rule: network and account by name, the rest the gateway). */
const BLAMED = {
  none: 'none',
  timeout_connect: 'network',
  timeout_headers: 'gateway',
  timeout_first_token: 'gateway',
  timeout_idle: 'gateway',
  timeout_total: 'gateway',
  timeout_task: 'gateway',
  dns: 'network',
  connect_refused: 'network',
  connect_reset: 'network',
  tls: 'network',
  socket_closed: 'network',
  unauthorized: 'account',
  insufficient_user_quota: 'account',
  key_site_mismatch: 'account',
  access_denied: 'account',
  model_not_found: 'account',
  rate_limited: 'account',
  upstream_crowded: 'upstream',
  upstream_unavailable: 'upstream',
  upstream_rejected: 'upstream',
  upstream_error: 'upstream',
  http_4xx: 'probe',
  http_5xx: 'gateway',
  stream_no_terminator: 'gateway',
  stream_truncated: 'gateway',
  stream_error_event: 'gateway',
  stream_incomplete: 'gateway',
  stream_bad_json: 'gateway',
  stream_empty: 'gateway',
  stream_oversize: 'gateway',
  schema_mismatch: 'gateway',
  download_failed: 'gateway',
  assertion: 'gateway',
  task_failed: 'gateway',
  task_lost: 'gateway',
  illegal_transition: 'gateway',
  unexpected_accept: 'gateway',
  wrong_refusal: 'gateway',
  _OTHER: 'gateway',
} as const satisfies Readonly<Record<string, Blame>>;
export type ErrorType = keyof typeof BLAMED;
export const BLAME_OF: Readonly<Record<ErrorType, Blame>> = BLAMED;
export const ERROR_TYPES = recordKeys(BLAMED);

/**
 * What the target did with a call. A closed list: an outcome is data, never an exception. Each with the error types that it
 * may carry; the first is what is written when nothing more precise is known.
 */
const TYPED = {
  ok: ['none'],
  http_error: [
    '_OTHER',
    'unauthorized',
    'insufficient_user_quota',
    'key_site_mismatch',
    'access_denied',
    'model_not_found',
    'rate_limited',
    'upstream_crowded',
    'upstream_unavailable',
    'upstream_rejected',
    'upstream_error',
    'http_4xx',
    'http_5xx',
  ],
  stream_error: [
    'stream_error_event',
    'stream_incomplete',
    'stream_bad_json',
    'stream_empty',
    'stream_oversize',
  ],
  truncated: ['stream_no_terminator', 'stream_truncated'],
  timeout_connect: ['timeout_connect'],
  timeout_headers: ['timeout_headers'],
  timeout_first_token: ['timeout_first_token'],
  timeout_idle: ['timeout_idle'],
  timeout_total: ['timeout_total'],
  timeout_task: ['timeout_task'],
  task_failed: ['task_failed'],
  task_lost: ['task_lost'],
  aborted: ['none'],
  interrupted: ['none'],
  not_sent: ['none'],
  net_error: ['_OTHER', 'dns', 'connect_refused', 'connect_reset', 'tls', 'socket_closed'],
  bad_response: ['schema_mismatch', 'illegal_transition', 'download_failed'],
} as const satisfies Readonly<Record<string, readonly [ErrorType, ...ErrorType[]]>>;
export type Outcome = keyof typeof TYPED;
export const ERROR_TYPES_OF: Readonly<Record<Outcome, readonly [ErrorType, ...ErrorType[]]>> = TYPED;
export const OUTCOMES = recordKeys(TYPED);

export function isErrorTypeOf(outcome: Outcome, type: ErrorType): boolean {
  return ERROR_TYPES_OF[outcome].includes(type);
}

/**
 * The outcome that a call is charged by. What could not be downloaded was made all the same, and its answer came whole: it
 * is no success of the target, and it is due.
 */
export function billedOutcome(call: { outcome: Outcome; error_type: ErrorType }): Outcome {
  return call.error_type === 'download_failed' ? 'ok' : call.outcome;
}

const NAMED_BY_CODE = [
  'insufficient_user_quota',
  'key_site_mismatch',
  'access_denied',
  'model_not_found',
  'upstream_crowded',
  'upstream_unavailable',
  'upstream_rejected',
  'upstream_error',
] as const satisfies readonly ErrorType[];
/** Error type of a refused call, from the code first, then the status (interface §7: match on code and status). */
export const ERROR_TYPE_OF_CODE: Readonly<Record<string, ErrorType>> = Object.fromEntries(
  NAMED_BY_CODE.map((code) => [code, code]),
);
export const ERROR_TYPE_OF_STATUS: Readonly<Record<number, ErrorType>> = {
  401: 'unauthorized',
  402: 'insufficient_user_quota',
  403: 'access_denied',
  429: 'rate_limited',
};

/** The error type of an answer with this status and error code; `none` for a 2xx. */
export function errorTypeOfAnswer(status: number, code: string | null): ErrorType {
  if (status >= 200 && status < 300) return 'none';
  const named = code === null ? undefined : ERROR_TYPE_OF_CODE[code];
  if (named !== undefined) return named;
  const byStatus = ERROR_TYPE_OF_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  if (status >= 500) return 'http_5xx';
  return status >= 400 ? 'http_4xx' : '_OTHER';
}
