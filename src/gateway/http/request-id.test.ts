import { expect, test } from 'vitest';
import { requestIdSource } from './request-id.ts';

test('28 characters with the moment first, and never twice', () => {
  const clock = { wallMs: () => Date.UTC(2026, 10, 20, 1, 2, 3), monoMs: () => 0 };
  const next = requestIdSource(clock, 77n);
  const ids = Array.from({ length: 50_000 }, () => next());
  expect(ids[0]).toMatch(/^20261120010203000001[0-9a-z]{8}$/);
  expect(ids.every((id) => id.length === 28)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test('two starts do not share ids', () => {
  const clock = { wallMs: () => 0, monoMs: () => 0 };
  expect(requestIdSource(clock, 1n)()).not.toBe(requestIdSource(clock, 2n)());
});
