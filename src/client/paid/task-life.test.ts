import { expect, test } from 'vitest';
import { seeStatus, type TaskWatchState, transitionOf } from './task-life.ts';

test.each([
  [null, 'queued', null],
  ['queued', 'queued', null],
  ['queued', 'in_progress', true],
  ['queued', 'completed', true],
  ['queued', 'failed', true],
  ['in_progress', 'failed', true],
  ['in_progress', 'queued', false],
  ['completed', 'in_progress', false],
  ['completed', 'failed', false],
  ['failed', 'completed', false],
  ['queued', 'thinking', false],
  ['thinking', 'completed', false],
])('%s to %s: legal %s', (from, to, legal) => {
  expect(transitionOf(from, to)).toEqual(legal === null ? null : { from, to, legal });
});

test('the times of a task count from its acceptance, and repeats are folded', () => {
  const start: TaskWatchState = {
    job: { id: 't', statuses: ['queued'], queue_ms: null, run_ms: null, polls: 0 },
    accepted_at_ms: 1000,
    working_at_ms: null,
  };
  const told: readonly (readonly [string | null, number])[] = [
    ['queued', 1100],
    [null, 1150],
    ['in_progress', 1300],
    ['in_progress', 1500],
    ['completed', 2300],
    ['completed', 9000],
  ];
  const { job } = told.reduce((seen, [status, at]) => seeStatus(seen, status, at), start);
  expect(job).toEqual({
    id: 't',
    statuses: ['queued', 'in_progress', 'completed'],
    queue_ms: 300,
    run_ms: 1000,
    polls: 6,
  });
});
