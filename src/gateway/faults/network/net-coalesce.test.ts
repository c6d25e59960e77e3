import { expect, test } from 'vitest';
import { coalesced } from './sliced-events.ts';

test('events of a group wait for the last of it', () => {
  const group = [10, 25, 40].map((due_ms) => ({ text: `at ${due_ms}`, due_ms, hasText: true, last: false }));
  expect(coalesced(group)).toEqual(group.map((frame) => ({ ...frame, due_ms: 40 })));
  expect(coalesced([])).toEqual([]);
});
