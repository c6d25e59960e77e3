import { networkErrorTypeOf } from '../contracts/network-error-type.ts';
import { ERROR_TYPES_OF, type ErrorType, type Outcome } from '../contracts/outcome.ts';
import { asObject } from '../wire/json-fields.ts';

export interface FailureKind {
  readonly outcome: Outcome;
  readonly error_type: ErrorType;
  /** Code of the system or of the HTTP client, such as ECONNRESET; never a text. */
  readonly code: string | null;
}

const MOST_CAUSES = 5;

/** What became of a call whose `fetch` or whose body ended in an error. */
export function failureKind(error: unknown, signal: AbortSignal | null): FailureKind {
  if (signal?.aborted === true) return abortKind(signal.reason);
  const code = codeOf(error);
  if (code === null) return isAbort(error) ? abortKind(error) : kind('net_error', null);
  const type = networkErrorTypeOf(code);
  switch (type) {
    case 'timeout_connect':
    case 'timeout_headers':
    case 'timeout_idle':
      return kind(type, code);
    default:
      return { outcome: 'net_error', error_type: type ?? '_OTHER', code };
  }
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
