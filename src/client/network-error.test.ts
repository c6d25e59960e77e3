import { describe, expect, it } from 'vitest';
import { networkErrorType, networkErrorWords } from './network-error.ts';

function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

describe('networkErrorType', () => {
  it.each([
    ['ENOTFOUND', 'dns'],
    ['ECONNRESET', 'connect_reset'],
    ['UND_ERR_SOCKET', 'socket_closed'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['EWHATEVER', '_OTHER'],
  ])('%s is %s', (code, type) => {
    expect(networkErrorType(coded(code))).toBe(type);
  });

  it('looks into causes and into the parts of an aggregate', () => {
    expect(networkErrorType(new Error('x', { cause: coded('ECONNREFUSED') }))).toBe('connect_refused');
    expect(networkErrorType(new AggregateError([coded('ECONNREFUSED'), coded('EOTHER')]))).toBe(
      'connect_refused',
    );
  });
});

describe('networkErrorWords', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'a certificate of no trusted authority (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'no TLS version that both sides allow'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no TLS at that port'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'a TLS handshake that failed'],
  ])('says %s in words', (code, words) => {
    const error = Object.assign(new Error('C0A7:error:0A00042E:SSL routines:ssl3_read_bytes'), { code });
    expect(networkErrorWords(new Error('x', { cause: error }))).toContain(words);
    expect(networkErrorWords(error)).not.toContain('routines');
  });

  it('leaves other messages as they are', () => {
    expect(networkErrorWords(coded('ECONNREFUSED'))).toBe('ECONNREFUSED');
    expect(networkErrorWords('x')).toBe('no answer');
  });
});
