import { expect, test } from 'vitest';
import { UnmappedKeys } from './unmapped-keys.ts';

function isPrice(key: string, value: unknown): boolean {
  const keys = new UnmappedKeys();
  keys.check('models[]', { [key]: value }, []);
  return keys.list().some(({ may_price }) => may_price);
}

test.each([
  ['surcharge', '0.5'],
  ['x_extension', { fee: '1' }],
  ['peak', [{ factor: '2' }]],
  ['context_threshold', '200000'],
  ['version_fee', '1'],
  ['group_ratio', { default: '0.8' }],
  ['account_factor', '0'],
])('%s with a figure may price', (key, value) => {
  expect(isPrice(key, value)).toBe(true);
});

test.each([
  ['note', 'not a figure'],
  ['context_window', '128000'],
  ['max_output_tokens', '4096'],
  ['schema_version', '3'],
  ['x_extension', { revision: '1', note: 'of ours' }],
  ['created_at', '1795542646'],
  ['adjustment', { account_factor: '1.00' }],
  ['request_fee', '0.0'],
])('%s prices nothing', (key, value) => {
  expect(isPrice(key, value)).toBe(false);
});

test('an unread figure leaves the prices of its models in doubt, one beside them all', () => {
  const keys = new UnmappedKeys();
  keys.check('models[]', { edit_fee: '0.01' }, [], 'painter');
  keys.check('models[]', { note: 'plain' }, [], 'writer');
  expect(keys.doubted()).toEqual(new Set(['painter']));
  keys.check('', { surcharge: '0.01' }, []);
  expect(keys.doubted()).toBeNull();
});
