import { expect, test } from 'vitest';
import { unobservedCall } from './unobserved-call.ts';

const TOLD = {
  run_id: 'r',
  instance: 'i',
  call_id: 'c',
  logical_id: 'c',
  scenario: 's',
  kind: 'chat',
  path: '/v1/chat/completions',
  stream: false,
  model: 'm',
  started_at: '2026-11-20T12:00:00.000Z',
  end_ms: 1,
  outcome: 'ok',
  error_type: 'none',
  blame: 'none',
} as const;

test('what nobody saw is null', () => {
  const { schema, attempt, phase, method, request_ids, ...rest } = unobservedCall(TOLD);
  expect([schema, attempt, phase, method, request_ids]).toEqual([
    'weighbridge.call/1',
    1,
    'measured',
    'POST',
    [],
  ]);
  const names = Object.keys(TOLD);
  const unseen = Object.entries(rest).filter(([name]) => !names.includes(name));
  expect(unseen.length).toBeGreaterThan(30);
  expect(unseen.filter(([, value]) => value !== null)).toEqual([]);
});

test('what is told stands in the row', () => {
  expect(unobservedCall({ ...TOLD, attempt: 2, status: 503 })).toMatchObject({
    ...TOLD,
    attempt: 2,
    status: 503,
  });
});
