import { expect, test } from 'vitest';
import { namedBase, targetFailure } from './target-failure.ts';

test.each([
  ['Use https://eu.gateway.example/v1. (request id: q1)', 'https://eu.gateway.example/v1'],
  ['the key is of (http://127.0.0.1:8080), not of https://other.example', 'http://127.0.0.1:8080'],
  ['see "HTTPS://Gateway.example/api"', 'HTTPS://Gateway.example/api'],
  ['https://gateway.example\u001b[2J', 'https://gateway.example'],
  ['create a key on this site', null],
  ['https:// is no address', null],
])('the address in %j is %j', (message, base) => {
  expect(namedBase(message)).toBe(base);
});

const refusal = {
  ok: false,
  status: 403,
  code: 'key_site_mismatch',
  message: 'This key belongs to https://eu.gateway.example. (request id: q1)',
  retryAfterS: null,
  errorType: 'key_site_mismatch',
  requestId: 'q1',
} as const;

test('a key of another site is told which base it belongs to', () => {
  const { code, hint } = targetFailure('GET /v1/models', refusal);
  expect({ code, hint }).toEqual({
    code: 'credentials_refused',
    hint: 'The key belongs to https://eu.gateway.example. Use that address as the target, or use a key of this site.',
  });
});

test('a key of another site without a base is told to take a key of this one', () => {
  const { hint } = targetFailure('GET /v1/models', { ...refusal, message: 'Create a key on this site.' });
  expect(hint).toMatch('The key must belong to this target.');
});

test('a failure of TLS names the settings that mend it', () => {
  const failure = {
    ok: false,
    status: null,
    code: null,
    message: 'm',
    retryAfterS: null,
    requestId: null,
  } as const;
  const { hint } = targetFailure('GET /v1/models', { ...failure, errorType: 'tls' });
  for (const name of ['WEIGHBRIDGE_CA_FILE', 'http.insecure_skip_tls_verify', 'http.tls_min'])
    expect(hint).toContain(name);
  const plain = { ...failure, errorType: 'tls', message: 'no TLS at that port (ERR_SSL_X)' } as const;
  expect(targetFailure('GET /v1/models', plain).hint).toMatch(/^Begin the address with http:\/\//);
  expect(targetFailure('GET /v1/models', { ...failure, errorType: 'dns' }).hint).toContain('--target');
});
