import { asObject } from '../core/formats/json-fields.ts';
import { ERROR_TYPES_OF, type ErrorType, type Outcome } from '../core/outcome.ts';

export interface FailureKind {
  readonly outcome: Outcome;
  readonly error_type: ErrorType;
  /** Code of the system or of the HTTP client, such as ECONNRESET; never a text. */
  readonly code: string | null;
}

const BY_CODE: Readonly<Record<string, readonly [Outcome, ErrorType]>> = {
  ENOTFOUND: ['net_error', 'dns'],
  EAI_AGAIN: ['net_error', 'dns'],
  ECONNREFUSED: ['net_error', 'connect_refused'],
  ECONNRESET: ['net_error', 'connect_reset'],
  EPIPE: ['net_error', 'connect_reset'],
  UND_ERR_SOCKET: ['net_error', 'socket_closed'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout_connect', 'timeout_connect'],
  ETIMEDOUT: ['timeout_connect', 'timeout_connect'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout_headers', 'timeout_headers'],
  UND_ERR_BODY_TIMEOUT: ['timeout_idle', 'timeout_idle'],
};

const TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;
const MOST_CAUSES = 5;

/** What became of a call whose `fetch` or whose body ended in an error. */
export function failureKind(error: unknown, signal: AbortSignal | null): FailureKind {
  if (signal?.aborted === true) return abortKind(signal.reason);
  const code = codeOf(error);
  if (code === null) return isAbort(error) ? abortKind(error) : kind('net_error', null);
  const [outcome, errorType] = BY_CODE[code] ?? (TLS.test(code) ? (['net_error', 'tls'] as const) : []);
  return outcome === undefined
    ? kind('net_error', code)
    : { outcome, error_type: errorType ?? '_OTHER', code };
}

/** `AbortSignal.timeout` says what it is; a client that aborts by a timer of its own does not. */
function abortKind(reason: unknown): FailureKind {
  return kind(nameOf(reason) === 'TimeoutError' ? 'timeout_total' : 'aborted', null);
}

function kind(outcome: Outcome, code: string | null): FailureKind {
  return { outcome, error_type: ERROR_TYPES_OF[outcome][0], code };
}

function isAbort(error: unknown): boolean {
  return ['AbortError', 'TimeoutError'].includes(nameOf(error));
}

function nameOf(error: unknown): string {
  const name = asObject(error)?.['name'];
  return typeof name === 'string' ? name : '';
}

/** `fetch failed` hides what happened in its causes. */
function codeOf(error: unknown): string | null {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES; depth += 1) {
    const found = asObject(at);
    if (found === null) return null;
    const { code } = found;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,63}$/.test(code)) return code;
    at = found['cause'];
  }
  return null;
}
