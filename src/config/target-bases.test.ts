import { expect, it } from 'vitest';
import { isLoopbackBase, parseTarget } from './target-bases.ts';

it.each([
  ['https://host', 'https://host'],
  ['https://host/', 'https://host'],
  ['https://host/v1', 'https://host'],
  ['https://host/api/', 'https://host'],
  ['https://host:8443/gateway/v1//', 'https://host:8443/gateway'],
  ['http://[::1]:9000/v1', 'http://[::1]:9000'],
  ['HTTPS://HOST/V1', 'https://host/V1'],
])('%s has the root %s', (text, root) => {
  expect(parseTarget(text)).toMatchObject({ bases: { root, v1: `${root}/v1`, api: `${root}/api` } });
});

it.each([
  ['https://host/v1beta/openai', 'https://host/v1beta/openai'],
  ['https://host/api/paas/v4/', 'https://host/api/paas/v4'],
  ['https://host/v10', 'https://host/v10'],
])('%s is itself the base of its calls', (text, base) => {
  const expected = { bases: { root: base, v1: base, api: `${base}/api` } };
  expect(parseTarget(text)).toMatchObject(expected);
});

it.each([
  'host/v1',
  'ftp://host',
  'file:///etc/passwd',
  'https://',
  '',
  'https://host/?key=hunter2',
  'https://host/#hunter2',
  'https://user:hunter2@host',
  'https://hunter2@host',
  'user:hunter2@host',
  'https://host/a b',
])('%s is refused without repeating it', (text) => {
  const reading = parseTarget(text);
  expect(reading).toHaveProperty('fault');
  expect(JSON.stringify(reading)).not.toContain('hunter2');
});

it.each([
  ['127.0.0.1:9', 'http://127.0.0.1:9'],
  ['localhost:8787/v1', 'http://localhost:8787/v1'],
  ['gateway.example', 'https://gateway.example'],
])('%s is offered with its scheme', (text, offered) => {
  expect(parseTarget(text)).toEqual({
    fault: `must begin with "http://" or "https://", such as "${offered}"`,
  });
});

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['[::1]', true],
  ['128.0.0.1', false],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
  ['10.0.0.1', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopbackBase(host)).toBe(expected);
});
