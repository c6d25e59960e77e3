import { expect, test } from 'vitest';
import { isOurHost, pageAddress } from './page-address.ts';

test.each([
  ['127.0.0.1:8080', '127.0.0.1', true],
  ['localhost:8080', '127.0.0.1', true],
  ['LocalHost', '127.0.0.1', true],
  ['[::1]:8080', '127.0.0.1', true],
  // A tunnel has a port of its own.
  ['localhost:9999', '127.0.0.1', true],
  ['evil.example:8080', '127.0.0.1', false],
  ['127.0.0.1.evil.example', '127.0.0.1', false],
  ['localhost.evil.example', '127.0.0.1', false],
  ['10.0.0.5:8080', '127.0.0.1', false],
  ['10.0.0.5:8080', '::', true],
  ['[fd00::5]:8080', '::', true],
  ['evil.example', '::', false],
  ['load.example:8080', 'load.example', true],
  ['user@localhost', '127.0.0.1', false],
  ['', '127.0.0.1', false],
  [undefined, '127.0.0.1', false],
])('Host: %s of a page at %s is answered: %s', (header, boundTo, answered) => {
  expect(isOurHost(header, boundTo)).toBe(answered);
});

test('--ui is this machine alone and a free port; an address that is none is refused with its form', () => {
  expect(pageAddress(undefined)).toBeNull();
  expect(pageAddress(true)).toEqual({ host: '127.0.0.1', port: 0 });
  expect(pageAddress('[::1]:8080')).toEqual({ host: '::1', port: 8080 });
  expect(() => pageAddress('8080')).toThrow('--ui must be an address and a port');
});
