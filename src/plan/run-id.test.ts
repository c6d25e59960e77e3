import { expect, it } from 'vitest';
import { newNonce, newRunId } from './run-id.ts';

it('names a run by its second and four random digits', () => {
  expect(newRunId(Date.UTC(2026, 10, 20, 23, 15, 9, 999))).toMatch(/^20261120T231509Z-[0-9a-f]{4}$/);
  const ids = new Set(Array.from({ length: 50 }, () => newRunId(0)));
  expect(ids.size).toBeGreaterThan(45);
});

it('draws a nonce of 16 hex digits each time', () => {
  expect(newNonce()).toMatch(/^[0-9a-f]{16}$/);
  expect(newNonce()).not.toBe(newNonce());
});
