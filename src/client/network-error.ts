import { networkErrorTypeOf } from '../contracts/network-error-type.ts';
import type { ErrorType } from '../contracts/outcome.ts';

/** Error type of an exception of undici. */
export function networkErrorType(error: unknown): ErrorType {
  for (const candidate of causesOf(error)) {
    if (candidate.name === 'TimeoutError') return 'timeout_total';
    const code = 'code' in candidate && typeof candidate.code === 'string' ? candidate.code : '';
    const known = networkErrorTypeOf(code);
    if (known !== null) return known;
  }
  return '_OTHER';
}

/** How the words of a server that answers in plain HTTP begin. */
export const NO_TLS = 'no TLS at that port';

const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED/;
const NO_COMMON_VERSION =
  /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_(LOW|HIGH)|NO_PROTOCOLS_AVAILABLE/;

/** What went wrong, for a reader: in words where the exception has a line of OpenSSL or advice about Node. */
export function networkErrorWords(error: unknown): string {
  for (const candidate of causesOf(error)) {
    const code = 'code' in candidate && typeof candidate.code === 'string' ? candidate.code : '';
    if (UNTRUSTED.test(code)) return `a certificate of no trusted authority (${code})`;
    if (NO_COMMON_VERSION.test(code)) return `no TLS version that both sides allow (${code})`;
    if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
      return `${NO_TLS} (${code})`;
    if (code.startsWith('ERR_SSL_')) return `a TLS handshake that failed (${code})`;
  }
  return error instanceof Error ? error.message : 'no answer';
}

function* causesOf(error: unknown): Generator<Error> {
  let current = error;
  while (current instanceof Error) {
    yield current;
    // A host with several addresses fails with one error an address.
    if (current instanceof AggregateError) for (const part of current.errors) yield* causesOf(part);
    current = current.cause;
  }
}
