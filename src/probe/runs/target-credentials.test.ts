import { expect, test } from 'vitest';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import { targetOf } from '../forecast/probe-target.test-support.ts';
import { TargetCredentials } from './target-credentials.ts';

test('headers are read for each request, their secrets are masked, and one that is gone is left out and said', () => {
  const env: Record<string, string> = { AUTH: 'Bearer planted-secret-1' };
  const secrets = new SecretValues();
  const looked: unknown[] = [];
  const target = { ...targetOf([]), headers: { 'x-tenant': 'blue', 'x-auth': 'env:AUTH' } };
  const credentials = new TargetCredentials(target, {
    env,
    secrets,
    now: Date.now,
    looked: (...seen) => looked.push(seen),
  });
  expect(credentials.headers()).toEqual({ 'x-tenant': 'blue', 'x-auth': 'Bearer planted-secret-1' });
  expect(secrets.mask('told planted-secret-1')).toBe('told ***');
  expect(credentials.secrets()).toContain('planted-secret-1');
  env['AUTH'] = '';
  expect(credentials.headers()).toEqual({ 'x-tenant': 'blue' });
  expect(looked.at(0)).toEqual(['headers', null, false]);
  expect(looked.at(-1)).toEqual([
    'headers',
    expect.stringMatching(/^target\.headers\.x-auth must have a value/),
    true,
  ]);
});
