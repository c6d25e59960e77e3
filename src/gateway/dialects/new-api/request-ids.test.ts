import { expect, test } from 'vitest';
import { newApiRequestIds } from './request-ids.ts';

function idsAt(...moments: readonly string[]): readonly string[] {
  const left = moments.map((moment) => Date.parse(moment));
  const clock = { wallMs: () => left.shift() ?? 0, monoMs: () => 0 };
  const next = newApiRequestIds(clock, 0x1234_5678_0000_00abn);
  return moments.map(() => next());
}

test('a second, its nanoseconds without leading zeros, the process and letters', () => {
  const [late, early] = idsAt('2026-11-26T22:11:53.379Z', '2026-11-26T22:11:54.000Z');
  expect(late).toMatch(/^20261126221153379000001000000ab[A-Za-z]{8}$/);
  expect(early).toMatch(/^202611262211542000000ab[A-Za-z]{8}$/);
});

test('no two are alike in one moment', () => {
  const ids = idsAt(...Array.from({ length: 5000 }, () => '2026-11-26T22:11:53.379Z'));
  expect(new Set(ids).size).toBe(5000);
});
