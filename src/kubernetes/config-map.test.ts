import { expect, test } from 'vitest';
import { fitsConfigMap } from './config-map.ts';

test('a ConfigMap takes what is below 900 kB in bytes, not in letters', () => {
  expect(fitsConfigMap({ 'plan.json': 'x'.repeat(899_000) })).toBe(true);
  expect(fitsConfigMap({ 'plan.json': 'x'.repeat(500_000), 'trace.ndjson': 'x'.repeat(400_000) })).toBe(
    false,
  );
  expect(fitsConfigMap({ 'plan.json': 'ä'.repeat(450_000) })).toBe(false);
});
