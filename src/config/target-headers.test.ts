import { expect, it } from 'vitest';
import type { Problem } from './problem.ts';
import { headerFault, readHeaderFlags } from './target-headers.ts';

it.each([
  ['x-tenant', 'blue team'],
  ['Authorization', 'env:TOKEN'],
  ['x-api-key', 'file:keys/one'],
  ['anthropic-beta', 'output-128k-2025-02-19'],
])('takes %s: %s', (name, value) => {
  expect(headerFault(name, value)).toBeNull();
});

it.each([
  ['authorization', 'x'],
  ['x-api-key', 'x'],
  ['x-goog', 'Bearer abc'],
  ['x-goog', 'sk-abcdef'],
  ['x-goog', 'env:'],
  ['x-goog', ' a'],
  ['host', 'a'],
  ['', 'a'],
])('refuses %s: %s', (name, value) => {
  expect(headerFault(name, value)).not.toBeNull();
});

it('reads the flags, the last of two alike, and shows no value that is wrong', () => {
  const problems: Problem[] = [];
  const texts = ['X-Tenant: blue', 'x-tenant:green', 'Authorization: env:TOKEN', 'x-key', 'cookie: hunter2'];
  expect(readHeaderFlags(texts, problems)).toEqual({ 'x-tenant': 'green', authorization: 'env:TOKEN' });
  expect(problems.map(({ at, found }) => [at, found])).toEqual([
    ['--header', null],
    ['--header', null],
  ]);
  expect(JSON.stringify(problems)).not.toContain('hunter2');
});
