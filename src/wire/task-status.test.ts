import { expect, test } from 'vitest';
import { taskStatusOf } from './task-status.ts';

test.each([
  ['queued', 'queued'],
  ['pending', 'queued'],
  ['running', 'in_progress'],
  ['succeeded', 'completed'],
  ['cancelled', 'failed'],
  ['expired', 'failed'],
  ['rendering', 'rendering'],
  [7, null],
  [undefined, null],
])('%j is the status %j', (told, status) => {
  expect(taskStatusOf(told)).toBe(status);
});
