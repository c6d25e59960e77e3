import type { ErrorType } from './outcome.ts';

const TYPE_OF_CODE = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'connect_refused',
  ECONNRESET: 'connect_reset',
  EPIPE: 'connect_reset',
  ETIMEDOUT: 'timeout_connect',
  UND_ERR_CONNECT_TIMEOUT: 'timeout_connect',
  UND_ERR_HEADERS_TIMEOUT: 'timeout_headers',
  UND_ERR_BODY_TIMEOUT: 'timeout_idle',
  UND_ERR_SOCKET: 'socket_closed',
} as const satisfies Readonly<Record<string, ErrorType>>;

export type NetworkErrorType = (typeof TYPE_OF_CODE)[keyof typeof TYPE_OF_CODE] | 'tls';

const KNOWN: ReadonlyMap<string, NetworkErrorType> = new Map(Object.entries(TYPE_OF_CODE));
const TLS = /^ERR_(?:TLS|SSL)_|CERT|SIGNATURE|ISSUER/;

/** What a code of the system, of undici or of OpenSSL says that happened; null for one that says nothing of the kind. */
export function networkErrorTypeOf(code: string): NetworkErrorType | null {
  return KNOWN.get(code) ?? (TLS.test(code) ? 'tls' : null);
}
