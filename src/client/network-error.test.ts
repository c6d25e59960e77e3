import { describe, expect, it } from 'vitest';
import { networkErrorType } from './network-error.ts';

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
