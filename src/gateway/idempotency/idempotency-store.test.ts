import { expect, test } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import { IdempotencyStore, KEY_LIFE_S } from './idempotency-store.ts';

const asked = { name: 'key a', digest: 'd1', what: 'image' } as const;
const answer = { requestId: 'r1', status: 200, headers: {}, body: { created: 1 } };

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.code}`;
  }
  return 'none';
}

function storeAt(start_s: number) {
  const clock = { now: start_s * 1000, wallMs: () => clock.now, monoMs: () => clock.now };
  return { clock, store: new IdempotencyStore(clock) };
}

test('the first claims, others wait, then all get its answer', () => {
  const { store } = storeAt(1000);
  expect(store.claim(asked)).toBeNull();
  expect(codeOf(() => store.claim(asked))).toBe('409 image_submission_pending');
  expect(codeOf(() => store.claim({ ...asked, what: 'video' }))).toBe('409 video_submission_pending');
  expect(codeOf(() => store.claim({ ...asked, digest: 'd2' }))).toBe('409 idempotency_conflict');
  store.keep(asked.name, answer);
  expect(store.claim(asked)).toEqual(answer);
  expect(codeOf(() => store.claim({ ...asked, digest: 'd2' }))).toBe('409 idempotency_conflict');
  expect(store.claim({ ...asked, name: 'key b' })).toBeNull();
});

test('what was refused may be sent again, changed or not', () => {
  const { store } = storeAt(1000);
  store.claim(asked);
  store.release(asked.name);
  expect(store.claim({ ...asked, digest: 'd2' })).toBeNull();
});

test('a key is kept for a day', () => {
  const { store, clock } = storeAt(1000);
  store.claim(asked);
  store.keep(asked.name, answer);
  clock.now += KEY_LIFE_S * 1000;
  expect(store.claim(asked)).toEqual(answer);
  clock.now += 1000;
  expect(store.claim(asked)).toBeNull();
});
