/** An answer of interface §7. `message` is without the request id, which is added where it is sent. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly type: 'new_api_error' | 'invalid_request_error';
  /** Empty where interface §7 names no code. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(answer: {
    status: number;
    type?: 'new_api_error' | 'invalid_request_error';
    code?: string;
    message: string;
    headers?: Readonly<Record<string, string>>;
  }) {
    super(answer.message);
    this.status = answer.status;
    this.type = answer.type ?? 'new_api_error';
    this.code = answer.code ?? '';
    this.headers = answer.headers ?? {};
  }
}

/** A model that is served, but not to this key. */
export class ModelOutOfReach extends ApiError {}

/** 400: the request itself is wrong. */
export function invalidRequest(message: string, code = ''): ApiError {
  return new ApiError({ status: 400, type: 'invalid_request_error', code, message });
}

/** 409: what was asked for stands against what there is. */
export function conflict(code: string, message: string, headers = {}): ApiError {
  return new ApiError({ status: 409, type: 'invalid_request_error', code, message, headers });
}

export function notFound(message: string, code: string): ApiError {
  return new ApiError({ status: 404, type: 'invalid_request_error', code, message });
}
