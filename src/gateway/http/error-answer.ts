import { formatAmount } from '../../core/amount.ts';
import { ApiError } from './api-error.ts';
import { InsufficientCredit } from './insufficient-credit.ts';

/** interface §7 has one error body for account calls and one for all others; messages-style SDKs need more around it. */
export type ErrorForm = 'account' | 'messages' | 'model';

export function errorFormOf(path: string): ErrorForm {
  if (isBelow(path, '/api')) return 'account';
  return isBelow(path, '/v1/messages') ? 'messages' : 'model';
}

/** The body in the form of the path. */
export function errorBody(path: string, error: ApiError, requestId: string): object {
  const message = `${error.message} (request id: ${requestId})`;
  const { type, code } = error;
  switch (errorFormOf(path)) {
    case 'account':
      return { success: false, message };
    case 'messages':
      return { type: 'error', error: { type, message, code }, request_id: requestId };
    case 'model':
      return { error: { message, type, code, param: '' } };
  }
}

/** What went wrong as an answer of interface §7; anything unknown is a neutral 500. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof InsufficientCredit) return quotaError(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE') {
    return new ApiError({ status: 413, type: 'invalid_request_error', message: 'Request body is too large' });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const message = 'Unsupported content type: send application/json, or multipart/form-data with files';
    return new ApiError({ status: 400, type: 'invalid_request_error', message });
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) {
    return new ApiError({ status: 400, type: 'invalid_request_error', message: text });
  }
  return new ApiError({
    status: 500,
    code: 'upstream_error',
    message: 'The service could not answer this request',
  });
}

/** interface §7 case 2: the message states the balance. Where the key's own limit is the narrower one, it says so. */
function quotaError({ status, balance, left, needed }: InsufficientCredit): ApiError {
  const limited = left !== null && left < balance;
  const rest = limited ? `; the limit of this key leaves $${formatAmount(left > 0n ? left : 0n)}` : '';
  const figures = `the account balance is $${formatAmount(balance)}${rest}`;
  const mend = limited ? 'Raise the limit of the key or use another' : 'Add credit';
  const message =
    status === 402
      ? `No credit is left for this key; ${figures}. ${mend} and try again`
      : `Credit does not cover the estimated cost of $${formatAmount(needed)}; ${figures}. ${mend} and try again`;
  return new ApiError({ status, code: 'insufficient_user_quota', message });
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
