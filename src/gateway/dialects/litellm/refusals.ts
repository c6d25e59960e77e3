import type { RefusedRequest, ToldRefusal } from '../../hooks/dialect.ts';
import { type ApiError, ModelOutOfReach } from '../../http/api-error.ts';
import { InsufficientCredit } from '../../http/insufficient-credit.ts';

const JSON_TYPE = 'application/json';
const OVER_BUDGET = 422;

interface Told {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly message: string;
}

/** A refusal as LiteLLM's proxy tells it: `code` is the status as a text. */
export function liteLlmRefusal(request: RefusedRequest, error: ApiError, cause: unknown): ToldRefusal {
  if (cause === error && isRouteError(request, error)) {
    const detail = error.status === 404 ? 'Not Found' : 'Method Not Allowed';
    return { status: error.status, headers: error.headers, type: JSON_TYPE, body: { detail } };
  }
  const told = toldOf(request, error, cause);
  const { status, type, param, message } = told;
  const body =
    request.path === '/v1/messages'
      ? { type: 'error', error: { type: anthropicType(status), message } }
      : { error: { message, type, param, code: String(status) } };
  return { status, headers: error.headers, type: JSON_TYPE, body };
}

/** The framework answers those, and not the proxy. */
function isRouteError({ path, method }: RefusedRequest, { status, message }: ApiError): boolean {
  return (
    (status === 404 && message === `Invalid URL (${method} ${path})`) ||
    (status === 405 && message.startsWith('Method '))
  );
}

function toldOf({ path, hasCredential }: RefusedRequest, error: ApiError, cause: unknown): Told {
  const { status, message, code } = error;
  if (cause instanceof InsufficientCredit)
    return {
      status: OVER_BUDGET,
      type: 'budget_exceeded',
      param: null,
      message: `Budget exceeded: ${message}`,
    };
  if (error instanceof ModelOutOfReach)
    return { status: 403, type: 'key_model_access_denied', param: 'model', message };
  if (code === 'model_not_found')
    return {
      status: 400,
      type: 'invalid_request_error',
      param: null,
      message: `${path}: unknown model name. ${message}`,
    };
  if (status === 401 && !hasCredential)
    return { status, type: 'auth_error', param: null, message: 'Authentication Error: no API key was sent' };
  if (status === 401)
    return {
      status,
      type: 'token_not_found_in_db',
      param: 'key',
      message: 'Authentication Error: the key is not in the table of keys',
    };
  if (code === 'internal_error') return { status: 500, type: 'internal_error', param: null, message };
  return { status, type: TYPES[status] ?? 'api_error', param: null, message };
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  403: 'auth_error',
  404: 'not_found_error',
  429: 'throttling_error',
  500: 'internal_server_error',
  503: 'internal_server_error',
};

function anthropicType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 404) return 'not_found_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}
