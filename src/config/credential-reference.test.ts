import { expect, test } from 'vitest';
import { absoluteReference, credentialReference } from './credential-reference.ts';

test('a secret itself is no reference', () => {
  for (const text of [
    'sk-abcdefgh',
    'file:sk-abcdefgh',
    'env:sk-abc',
    'env:',
    'file:',
    '$KEY',
    'hunter2',
    7,
    null,
  ])
    expect(credentialReference.safeParse(text).success).toBe(false);
  for (const text of ['env:KEY', 'env:_k1', 'file:key', 'file:/run/secrets/a key', 'file:../x'])
    expect(credentialReference.safeParse(text).success).toBe(true);
});

test('a path starts from the folder of the configuration', () => {
  expect(absoluteReference('file:keys/k', '/etc/wb/weighbridge.yaml')).toBe('file:/etc/wb/keys/k');
  expect(absoluteReference('file:/run/k', '/etc/wb/weighbridge.yaml')).toBe('file:/run/k');
  expect(absoluteReference('env:KEY', '/etc/wb/weighbridge.yaml')).toBe('env:KEY');
});
