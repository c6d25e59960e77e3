import { expect, test } from 'vitest';
import { addressOf } from './hosts-connector.ts';

const HOSTS = {
  'a.example': '10.0.0.1',
  'a.example:8443': '10.0.0.2:9443',
  '*.example': '10.0.0.3',
  '*.b.example': '[::1]:99',
};

test.each([
  ['a.example', '443', { ip: '10.0.0.1', port: null }],
  ['a.example', '8443', { ip: '10.0.0.2', port: '9443' }],
  ['c.example', '443', { ip: '10.0.0.3', port: null }],
  ['c.b.example', '443', { ip: '::1', port: '99' }],
  ['example', '443', null],
  ['elsewhere.test', '443', null],
])('%s:%s is led to %j', (name, port, address) => {
  expect(addressOf(name, port, HOSTS)).toEqual(address);
});
