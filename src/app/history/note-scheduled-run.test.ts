import { expect, test } from 'vitest';
import { unnotedWords } from './note-scheduled-run.ts';

test('a schedule of which nothing can be kept says so, and no other run does', () => {
  expect(unnotedWords({ home: null, every_ms: 86_400_000 })).toMatch(
    /^--every: nothing is noted of this schedule/,
  );
  expect(unnotedWords({ home: null, every_ms: null })).toBeNull();
  expect(unnotedWords({ home: '/state/gateway.example', every_ms: 86_400_000 })).toBeNull();
});
